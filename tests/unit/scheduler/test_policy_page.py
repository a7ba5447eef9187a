"""docs/policy.md has a sentence for each reason."""

import re
from pathlib import Path

from scheduler.core.jobs.reason import ReasonCode

PAGE = (Path(__file__).parents[3] / "docs" / "policy.md").read_text()


def test_the_page_explains_each_reason_once() -> None:
    explained = re.findall(r"^\| `(\w+)` \| [A-Z].*\. \|$", PAGE, re.MULTILINE)
    assert sorted(explained) == sorted(ReasonCode)
