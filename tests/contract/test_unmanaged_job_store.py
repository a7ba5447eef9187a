"""UnmanagedJobStore: unmanaged jobs are recorded, checked once, and findings are kept."""

from datetime import timedelta

import pytest

from scheduler.core.reconciliation.unmanaged_job import Finding, UnmanagedJob
from scheduler.errors.refusals import Violation
from scheduler.ports.job_store import UnmanagedJobStore
from support.builders.jobs import NOON
from support.dynamodb.stores import Stores

VIOLATION = Violation("team-tag", "Tags", "The tag team is missing", "Add the tag team.")


@pytest.fixture
def foreign(stores: Stores) -> UnmanagedJobStore:
    return stores.foreign


def test_a_job_is_recorded_once_however_many_events_name_it(foreign: UnmanagedJobStore) -> None:
    for minutes in (0, 5):
        foreign.add_unchecked(UnmanagedJob("theirs", NOON + timedelta(minutes=minutes)), by="training_events")
    assert foreign.unchecked() == (UnmanagedJob("theirs", NOON),)


def test_a_checked_job_is_not_checked_again(foreign: UnmanagedJobStore) -> None:
    for name in ("one", "two"):
        foreign.add_unchecked(UnmanagedJob(name, NOON), by="training_events")
    foreign.mark_checked(UnmanagedJob("one", NOON))
    assert [job.name for job in foreign.unchecked()] == ["two"]


def test_a_job_to_check_later_keeps_its_time_when_another_event_names_it(foreign: UnmanagedJobStore) -> None:
    job, tried_at = UnmanagedJob("theirs", NOON), NOON + timedelta(minutes=1)
    foreign.add_unchecked(job, by="training_events")
    foreign.check_later(job, tried_at)
    foreign.add_unchecked(UnmanagedJob("theirs", NOON + timedelta(minutes=2)), by="training_events")
    assert foreign.unchecked() == (UnmanagedJob("theirs", NOON, tried_at),)


def test_what_was_found_is_kept_the_newest_first_and_each_once(foreign: UnmanagedJobStore) -> None:
    older = Finding("one", NOON, stopped=False, violations=(VIOLATION,))
    newer = Finding("two", NOON + timedelta(hours=1), stopped=True, violations=(VIOLATION, VIOLATION))
    assert [foreign.record_finding(finding) for finding in (older, newer, older)] == [True, True, False]
    assert foreign.findings(10) == (newer, older)
    assert foreign.findings(1) == (newer,)
