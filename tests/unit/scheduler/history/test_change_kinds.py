"""The kinds of events that a change contains."""

import pytest

from scheduler.core.history.change import ChangeKind, change_kinds_in, change_of
from scheduler.core.jobs import transitions
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.requests.job_update import JobUpdate, updated
from support.builders.jobs import NOON, a_job, a_sighting, an_attempt, launching

OUTRANKED = Reason(ReasonCode.OUTRANKED, "preempted by urgent")
RUNNING = transitions.confirm_running(launching(a_job(version=1)), NOON)
STOPPING = transitions.preempt_for(RUNNING, a_job("urgent"), OUTRANKED, NOON)


def _ended(job: Job, status: str) -> Job:
    later = a_sighting(status).modified_at.replace(hour=13)
    return transitions.end_attempt(job, an_attempt(job), a_sighting(status), later)


@pytest.mark.parametrize(
    ("job", "about"),
    [
        (a_job(version=0), [ChangeKind.SUBMITTED]),
        (RUNNING, []),
        (STOPPING, [ChangeKind.PREEMPTION_STARTED]),
        (_ended(STOPPING, "Stopped"), [ChangeKind.PREEMPTION_FINISHED]),
        (_ended(RUNNING, "Completed"), [ChangeKind.ENDED]),
        (transitions.park(RUNNING, Reason(ReasonCode.EXCEEDS_BUDGET), NOON), [ChangeKind.PARKED]),
        (
            transitions.park(RUNNING, Reason(ReasonCode.RULE_VIOLATED), NOON),
            [ChangeKind.PARKED, ChangeKind.GUARDRAIL],
        ),
        (transitions.stop_idle(RUNNING, 15, NOON), [ChangeKind.GUARDRAIL]),
    ],
)
def test_a_change_is_about_what_was_done_in_it(job: Job, about: list[ChangeKind]) -> None:
    assert [*change_kinds_in(change_of(job, "schedule", NOON, ()))] == about


@pytest.mark.parametrize(
    "job",
    [
        _ended(RUNNING, "Completed"),
        _ended(STOPPING, "Stopped"),
        transitions.park(RUNNING, Reason(ReasonCode.RULE_VIOLATED), NOON),
    ],
)
def test_the_cost_of_a_pool_counts_nothing_twice(job: Job) -> None:
    change = change_of(job, "pools", NOON, ())
    assert ([*change_kinds_in(change)], change.done) == ([], ())


def test_a_job_that_gave_way_and_is_updated_does_not_give_way_again() -> None:
    gave_way = _ended(STOPPING, "Stopped")
    changed = updated(gave_way, JobUpdate({"priority": 7}), "ada", NOON.replace(hour=14))
    assert [*change_kinds_in(change_of(changed, "api", NOON, ()))] == []
