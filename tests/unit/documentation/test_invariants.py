"""docs/explain/reliability.md has each invariant that the simulation checks by its number."""

import re

from support.checkout import CHECKOUT

JUDGES = CHECKOUT / "tests/support/simulation"


def test_the_page_explains_each_invariant_that_is_checked() -> None:
    checked = {number for file in JUDGES.rglob("*.py") for number in re.findall(r'"([SCL]\d+)"', file.read_text())}
    page = (CHECKOUT / "docs/explain/reliability.md").read_text()
    table = page.partition("## Faults and invariants")[2].partition("\n## ")[0]
    explained = {
        number for row in re.findall(r"^\| ([SCL][\dSCL, ]*) \|", table, re.MULTILINE) for number in row.split(", ")
    }
    assert checked
    assert checked - explained == set()
