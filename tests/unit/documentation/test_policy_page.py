"""docs/policy.md explains each reason."""

import re

from scheduler.core.jobs.reason import ReasonCode
from support.checkout import CHECKOUT

PAGE = (CHECKOUT / "docs" / "policy.md").read_text()


def test_the_page_explains_each_reason_once() -> None:
    explained = re.findall(r"^\| `(\w+)` \| [A-Z].*\. \|$", PAGE, re.MULTILINE)
    assert sorted(explained) == sorted(ReasonCode)
