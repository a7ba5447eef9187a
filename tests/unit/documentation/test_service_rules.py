"""docs/reference/rest.md has the table of SageMaker's rules as the code has it."""

import re

from scheduler.core.requests.service_rules.table import RULES
from support.checkout import CHECKOUT

PAGE = (CHECKOUT / "docs" / "reference" / "rest.md").read_text()


def test_the_page_has_each_rule_with_its_remedy_and_source() -> None:
    section = PAGE.partition("\n### Rules of SageMaker\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| (`.*) \|$", section, re.MULTILINE)
    assert rows == [f"`{rule.field}` | {rule.message} | {rule.remedy} | {rule.source}" for rule in RULES]
