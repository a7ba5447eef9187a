"""UnmanagedJobStore: unmanaged jobs are recorded, checked once, and findings are kept."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs.demand import Demand
from scheduler.core.reconciliation.unmanaged_job import Finding, FindingKind, UnmanagedJob, WatchedJob
from scheduler.errors.refusals import Violation
from scheduler.ports.job_store import UnmanagedJobStore, WatchedJobStore
from support.builders.jobs import NOON
from support.dynamodb.stores import Stores

VIOLATION = Violation("team-tag", "Tags", "The tag team is missing", "Add the tag team.")


@pytest.fixture
def foreign(stores: Stores) -> UnmanagedJobStore:
    return stores.foreign


@pytest.fixture
def watched(stores: Stores) -> WatchedJobStore:
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


def test_a_job_is_watched_until_it_ends_and_keeps_its_record_when_it_is_added_again(watched: WatchedJobStore) -> None:
    job = WatchedJob("theirs", NOON, Demand.of({"ml.g5.xlarge": 2}), "ada", is_exempt=True)
    known = replace(job, checked_at=NOON, idle_warned_at=NOON)
    watched.watch(job)
    watched.save_watched(known)
    watched.watch(job)
    assert watched.watched() == (known,)
    another = replace(job, created_at=NOON + timedelta(hours=1), owner="grace")
    watched.watch(another)
    assert watched.watched() == (another,)
    watched.unwatch("theirs")
    watched.unwatch("theirs")
    assert watched.watched() == ()


def test_each_kind_of_finding_and_a_stop_after_a_warning_are_news(foreign: UnmanagedJobStore) -> None:
    warned = Finding("one", NOON, stopped=False, violations=(VIOLATION,), kind=FindingKind.IDLE)
    found = [warned, replace(warned, stopped=True), replace(warned, kind=FindingKind.HANG), warned]
    assert [foreign.record_finding(finding) for finding in found] == [True, True, True, False]
    assert {(finding.kind, finding.stopped) for finding in foreign.findings(9)} == {
        (FindingKind.IDLE, False),
        (FindingKind.IDLE, True),
        (FindingKind.HANG, False),
    }


def test_what_was_found_is_kept_the_newest_first_and_each_once(foreign: UnmanagedJobStore) -> None:
    older = Finding("one", NOON, stopped=False, violations=(VIOLATION,))
    newer = Finding("two", NOON + timedelta(hours=1), stopped=True, violations=(VIOLATION, VIOLATION))
    assert [foreign.record_finding(finding) for finding in (older, newer, older)] == [True, True, False]
    assert foreign.findings(10) == (newer, older)
    assert foreign.findings(1) == (newer,)
