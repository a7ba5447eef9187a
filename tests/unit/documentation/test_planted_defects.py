"""docs/explain/reliability.md has a row for each planted defect, and their number."""

import re

from support.checkout import CHECKOUT
from support.simulation.runs.defect_search import DEFECTS


def test_the_page_lists_each_planted_defect_and_counts_them() -> None:
    page = (CHECKOUT / "docs/explain/reliability.md").read_text()
    table = page.partition("| planted defect |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (.+?) \| \d", table, re.MULTILINE) == [*DEFECTS]
    assert f"searches for each of {len(DEFECTS)} planted defects" in page
