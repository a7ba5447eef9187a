"""docs/reference/job-options.md and the command line have each option of a job, by its name and its tag."""

import re

from sagequeue.cli.submission import submit
from sagequeue.contract.jobs import JobOptions
from scheduler.core.requests.options import is_option
from support.checkout import CHECKOUT

PAGE = (CHECKOUT / "docs" / "reference" / "job-options.md").read_text()
#: A client sets it itself, from the code in S3.
SET_BY_CLIENTS = {"source_etag"}


def test_the_page_has_each_option_with_a_tag_that_the_queue_reads() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (?:`(queue:[\w-]+)`|–)", PAGE, re.MULTILINE))
    assert sorted(rows) == sorted(JobOptions.__annotations__)
    assert [tag for tag in rows.values() if tag and not is_option(tag)] == []


def test_the_command_line_has_each_option() -> None:
    flags = {parameter.name for parameter in submit.params}
    assert JobOptions.__annotations__.keys() - SET_BY_CLIENTS <= flags
