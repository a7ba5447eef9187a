"""The planner selects an alternative that the rules allow."""

from dataclasses import replace

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from support.builders.jobs import GPU, NOON, Choice
from support.builders.snapshots import a_snapshot, gpus, waiting

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
