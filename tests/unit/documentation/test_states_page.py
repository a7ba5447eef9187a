"""docs/reference/states.md explains each state and reason; docs/use/why-waiting.md says what to do about each wait."""

import re

from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from support.checkout import CHECKOUT

PAGE = (CHECKOUT / "docs" / "reference" / "states.md").read_text()
OF_WAITING = (CHECKOUT / "docs" / "use" / "why-waiting.md").read_text()
OF_FAILURES = (CHECKOUT / "docs" / "use" / "logs-and-failures.md").read_text()
#: Of jobs about which nothing has to be done.
NO_WAIT = {ReasonCode.RUNNING, ReasonCode.COMPLETED, ReasonCode.FAILED}


def test_the_page_explains_each_reason_once() -> None:
    explained = re.findall(r"^\| `(\w+)` \| [A-Z].*\. \|$", PAGE, re.MULTILINE)
    assert sorted(explained) == sorted(ReasonCode)


def test_the_page_explains_each_state_once() -> None:
    section = PAGE.partition("## States\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == [*JobState]


def test_two_pages_say_what_to_do_about_each_reason() -> None:
    waiting, stopped = (
        re.findall(r"^\| `(\w+)` \| .*\. \| .*\. \|$", page.partition(heading)[2], re.MULTILINE)
        for page, heading in ((OF_WAITING, "## Every reason"), (OF_FAILURES, "## Jobs that were stopped"))
    )
    assert sorted([*waiting, *stopped]) == sorted({*ReasonCode} - NO_WAIT)
