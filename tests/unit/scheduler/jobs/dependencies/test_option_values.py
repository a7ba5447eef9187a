"""The options that name the jobs for which a job waits."""

from typing import Any

import pytest

from scheduler.core.jobs.dependencies.option_values import MOST_PREDECESSORS
from scheduler.core.jobs.start_conditions import NO_DEPENDENCIES, IfNeverSatisfied, JobDependencies
from scheduler.core.requests.options import read_options
from scheduler.errors.refusals import BadRequest

MANY = [f"job{number}" for number in range(MOST_PREDECESSORS + 1)]


def read(tags: dict[str, str], **given: Any) -> JobDependencies:
    request = {"Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}
    return read_options(request, given).of_job.dependencies


def test_tags_and_json_name_the_same_jobs() -> None:
    expected = JobDependencies(("prep", "fetch"), (), ("lint",), IfNeverSatisfied.CANCEL)
    json = {"after_ok": ["prep", "fetch"], "after_not_ok": ["lint"], "if_never_satisfied": "cancel"}
    tags = {"queue:after-ok": "prep+fetch", "queue:after-not-ok": "lint", "queue:if-never-satisfied": "cancel"}
    assert read(tags) == read({}, **json) == read(tags, **json) == expected
    assert read({}) == NO_DEPENDENCIES


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"after_ok": []}, "cannot be"),
        ({"after_ok": ["a/b"]}, "cannot be"),
        ({"after_ok": "prep"}, "cannot be"),
        ({"after_ok": [1]}, "cannot be"),
        ({"after_any": ["prep", "prep"]}, "cannot be"),
        ({"after_any": MANY}, "cannot be"),
        ({"after_any": MANY[:15], "after_ok": MANY[15:]}, "21 jobs"),
        ({"after_any": ["prep"], "after_ok": ["prep"]}, "both name prep"),
        ({"if_never_satisfied": "cancel"}, "waits for no other job"),
        ({"after_ok": ["prep"], "if_never_satisfied": "run"}, "cannot be"),
    ],
)
def test_other_values_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRequest, match=message):
        read({}, **given)
