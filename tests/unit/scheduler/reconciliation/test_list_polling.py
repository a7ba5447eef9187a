"""The attempts for which SageMaker's list replaces a description."""

from datetime import datetime, timedelta
from typing import Any, cast

import pytest

from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.listed_job import ListedJob, ListPage
from scheduler.cycle.sweep import running_in_list
from scheduler.ports.training import TrainingService
from support.builders.jobs import NOON, a_job, a_sighting, an_attempt, launching

SECOND = timedelta(seconds=1)


class List:
    """One page of SageMaker's list."""

    def __init__(self, *listed: ListedJob) -> None:
        self._listed = listed

    def list_newest(self, _created_before: datetime | None, _token: str | None) -> ListPage:
        return ListPage(self._listed, None)


def present(*listed: ListedJob, **known: Any) -> set[str]:
    attempt = an_attempt(launching(a_job("job")), created=True, observation=a_sighting(by_event=True, **known))
    return {*running_in_list(cast(TrainingService, List(*listed)), [LiveJob(a_job("job"), attempt)])}


def listed(status: str = "InProgress", *, name: str = "job-sq-1", later: timedelta = 0 * SECOND) -> ListedJob:
    return ListedJob(name, status, NOON, NOON + later)


@pytest.mark.parametrize("rounding", [-SECOND, 0 * SECOND, SECOND])
def test_an_attempt_listed_with_its_last_status_is_present(rounding: timedelta) -> None:
    assert present(listed(later=rounding), modified_at=NOON) == {"job-sq-1"}


def test_an_entry_that_lags_is_no_answer() -> None:
    assert not present(listed(), modified_at=NOON + 2 * SECOND)


def test_an_entry_without_an_event_is_no_answer() -> None:
    assert not present(listed(later=2 * SECOND), modified_at=NOON)


def test_an_attempt_listed_otherwise_or_not_at_all_is_polled() -> None:
    assert not present(listed("Completed"), modified_at=NOON)
    assert not present(listed(name="job-sq-2"), modified_at=NOON)
