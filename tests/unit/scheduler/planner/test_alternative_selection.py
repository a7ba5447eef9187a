"""The planner selects an alternative that the rules allow."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.capacity.alternative_switch import open_alternatives
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, InstanceRange
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from support.builders.jobs import GPU, NOON, Choice, a_sighting, an_attempt, changed_job
from support.builders.snapshots import a_snapshot, gpus, running, waiting

OTHER = "ml.p5.48xlarge"
TWO_WAYS = (Choice(gpus(2), 3600), Choice(Demand.of({OTHER: 1}), 3600))


def planned(budget: Budget, *closed: int) -> Plan:
    jobs = waiting("picky", 9, needs=2, choices=TWO_WAYS), waiting("behind", needs=2)
    snapshot = replace(a_snapshot(0, *jobs), budget=budget, closed_choices=frozenset(("picky", n) for n in closed))
    return plan(snapshot, NOON)


def launched(decided: Plan) -> list[tuple[str, int]]:
    return [(entry.job.name, entry.job.spec.choice) for entry in decided.launches]


def test_a_closed_choice_is_not_planned_again_and_delays_no_job() -> None:
    without_the_other = Budget.of({GPU: 2, OTHER: 0})
    assert launched(planned(without_the_other)) == [("picky", 0)]
    assert launched(planned(without_the_other, 0)) == [("behind", 0)]


@pytest.mark.parametrize("closed", [0, 1])
def test_the_other_choice_is_taken(closed: int) -> None:
    assert ("picky", 1 - closed) in launched(planned(Budget.of({GPU: 2, OTHER: 1}), closed))


def test_it_waits_unparked_for_the_budget_or_the_rules_to_change() -> None:
    decided = planned(Budget.of({GPU: 2, OTHER: 0}), 0)
    reason = decided.reason_for("picky")
    assert reason is not None
    assert (reason.code, decided.parks) == (ReasonCode.EXCEEDS_BUDGET, ())


@pytest.mark.parametrize(("waited", "ago", "choice"), [(10, 0, 1), (10, 9, 1), (10, 10, 0), (9, 0, 0)])
def test_an_attempt_of_several_types_that_was_stopped_in_favour_of_another_choice_makes_its_own_choice_pause(
    waited: int, ago: int, choice: int
) -> None:
    ended_at = NOON - timedelta(minutes=ago)
    stopped = EndedAttempt("a-sq-1", 1, Outcome.REQUEUED, ended_at - timedelta(minutes=waited), ended_at)
    choices = (Choice(Demand.of({GPU: 1, OTHER: 1}), 3600), Choice(gpus(2), 3600))
    job = waiting("a", needs=1, choices=choices, history=(stopped,), attempts=1)
    snapshot = replace(a_snapshot(0, job), budget=Budget.of({GPU: 2, OTHER: 1}))
    assert launched(plan(snapshot, NOON)) == [("a", choice)]


def test_a_choice_pauses_only_if_another_one_is_open() -> None:
    stopped = EndedAttempt("a-sq-1", 1, Outcome.REQUEUED, NOON - timedelta(minutes=10), NOON)
    choices = (Choice(Demand.of({GPU: 1, OTHER: 1}), 3600), Choice(gpus(3), 3600))
    job = waiting("a", needs=1, choices=choices, history=(stopped,), attempts=1)
    snapshot = replace(a_snapshot(0, job), budget=Budget.of({GPU: 2, OTHER: 1}))
    assert launched(plan(snapshot, NOON)) == [("a", 0)]


@pytest.mark.parametrize(
    ("failed", "waited", "reason", "choice"),
    [
        (0, 1, "CapacityError: none", 1),
        (1, 1, "CapacityError: none", 2),
        (2, 1, "CapacityError: none", 2),  # there is no narrower width
        (0, 10, "", 1),
        (0, 9, "", 0),
    ],
)
def test_an_elastic_job_continues_on_fewer_instances_after_an_attempt_without_instances(
    failed: int, waited: int, reason: str, choice: int
) -> None:
    ended = NOON - timedelta(minutes=30)
    last = EndedAttempt("a-sq-1", 1, Outcome.FAILED, ended - timedelta(minutes=waited), ended, failure_reason=reason)
    widths = [Choice(gpus(count), 3600) for count in (8, 4, 2)]
    job = waiting("a", needs=8, choices=widths, history=(replace(last, choice=failed),), attempts=1)
    job = changed_job(job, instances=InstanceRange(2, 8, 2))
    assert launched(plan(a_snapshot(8, job), NOON)) == [("a", choice)]


def test_a_requeue_by_its_user_lets_an_elastic_job_try_each_width_again() -> None:
    ended = NOON - timedelta(minutes=30)
    last = EndedAttempt("a-sq-1", 1, Outcome.FAILED, ended - timedelta(minutes=10), ended)
    widths = [Choice(gpus(count), 3600) for count in (8, 4, 2)]
    job = waiting("a", needs=8, choices=widths, history=(last,), attempts=1, released_at=NOON - timedelta(minutes=5))
    job = changed_job(job, instances=InstanceRange(2, 8, 2))
    assert launched(plan(a_snapshot(8, job), NOON)) == [("a", 0)]


def test_an_attempt_that_waits_for_instances_is_stopped_for_a_narrower_width_but_not_for_a_wider_one() -> None:
    widths = [Choice(gpus(count), 3600) for count in (8, 4, 2)]
    live = running("a", choices=widths, instances=InstanceRange(2, 8, 2)).job.as_choice(1)
    attempt, now = an_attempt(live, created=True), NOON + timedelta(minutes=10)
    pending = a_sighting(secondary_status="Pending")
    options = open_alternatives(LiveJob(live, attempt), pending, CapacityMemory(), now)
    assert [option.spec.choice for option in options] == [2]
