"""The instances of a training plan are a separate line of the budget while its window is open."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from scheduler.core.calendar.budget_schedule import ScheduledBudgets, scheduled_budgets
from scheduler.core.calendar.calendar import Calendar
from scheduler.core.capacity.gpus import gpus_of
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.requests.instances import instances_of
from scheduler.core.sections.controls import Controls
from scheduler.core.sections.schema import ConfigKind
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from support.builders.configurations import a_stack
from support.builders.invalid_sections import change_of, problems_of
from support.builders.jobs import NOON
from support.builders.snapshots import a_snapshot, running, waiting

ARN = "arn:aws:sagemaker:us-east-1:123456789012:training-plan/winter"
TYPE, LINE = "ml.p5.48xlarge", "ml.p5.48xlarge@winter"
STACK = Budget.parse("ml.g5.xlarge=2")
WINDOW: dict[str, Any] = {
    "name": "winter",
    "begins": "2026-11-21T14:00Z",
    "ends": "2026-11-21T20:00Z",
    "training_plan": ARN,
    "budget": {TYPE: 4},
}
CLOSED = {"name": "closed", "begins": "2026-11-21T12:00Z", "ends": "2026-11-21T22:00Z", "budget": {"*": 0}}
HOUR = 3600
SAVING: dict[str, Any] = {"checkpoint_uri": "s3://bucket/checkpoints"}


def section(*windows: dict[str, Any]) -> dict[str, Any]:
    return {"time_zone": "UTC", "excess": "finish", "windows": [*windows]}


def read(*windows: dict[str, Any]) -> Calendar:
    return change_of(ConfigKind.CALENDAR, section(*windows), a_stack("ml.g5.xlarge=2")).after.calendar


def in_force(hours: float, *windows: dict[str, Any], controls: Controls = Controls()) -> ScheduledBudgets:  # noqa: B008 - frozen
    """So many hours after noon."""
    return scheduled_budgets(read(*windows or (WINDOW,)), controls, STACK, NOON + timedelta(hours=hours))


def under_an_unknown_calendar(*jobs: Job | LiveJob) -> Plan:
    """With an operator's own budget, and what is over it is to be stopped."""
    seen = scheduled_budgets(None, Controls(budget=STACK, stop_over_budget=True), STACK, NOON)
    return plan(replace(a_snapshot(0, *jobs), budget=seen.now.budget, excess=seen.now.excess), NOON)


def planned(hours: float, *jobs: Job | LiveJob) -> Plan:
    now, seen = NOON + timedelta(hours=hours), in_force(hours)
    snapshot = replace(
        a_snapshot(0, *jobs),
        budget=seen.now.budget,
        excess=seen.now.excess,
        periods=seen.coming,
        largest_later_budget=seen.largest_later_budget,
    )
    return plan(snapshot, now)


def on_plan(name: str = "big", *, count: int = 4, **changes: Any) -> Job:
    return waiting(name, demand=Demand.of({LINE: count}), **{"max_runtime": HOUR} | changes)


def code(decided: Plan, name: str = "big") -> ReasonCode | None:
    reason = decided.reason_for(name)
    return reason.code if reason else None


@pytest.mark.parametrize(("hours", "count"), [(1.99, 0), (2, 4), (7.3, 4), (7.34, 0)])
def test_the_line_is_there_from_the_beginning_of_the_plan_to_forty_minutes_before_its_end(
    hours: float, count: int
) -> None:
    assert in_force(hours).now.budget.limit[LINE] == count


def test_it_is_beside_what_is_there_on_demand() -> None:
    assert in_force(3).now.budget.as_dict() == {LINE: 4, "ml.g5.xlarge": 2}
    assert in_force(3, WINDOW, CLOSED).now.budget.as_dict() == {LINE: 4, "ml.g5.xlarge": 0}


def test_the_budget_of_an_operator_leaves_it_applied() -> None:
    budget = in_force(3, WINDOW, CLOSED, controls=Controls(budget=Budget.parse("ml.g5.xlarge=1"))).now.budget
    assert budget.as_dict() == {LINE: 4, "ml.g5.xlarge": 1}


def test_where_the_calendar_cannot_be_read_the_budget_of_an_operator_stops_nobody_on_a_plan() -> None:
    on_demand = running("small", demand=Demand.of({"ml.g5.xlarge": 3}))
    decided = under_an_unknown_calendar(running("big", demand=Demand.of({LINE: 4})), on_demand)
    assert [entry.victim.job.name for entry in decided.evictions] == ["small"]


def test_a_job_of_the_plan_starts_in_its_window_and_waits_for_it_before() -> None:
    assert [launch.job.name for launch in planned(3, on_plan()).launches] == ["big"]
    assert code(planned(1, on_plan())) is ReasonCode.WAITS_FOR_CALENDAR


def test_a_job_of_the_plan_is_parked_once_the_plan_is_over() -> None:
    assert [entry.job.name for entry in planned(8, on_plan()).parks] == ["big"]


def test_a_job_on_demand_has_nothing_of_the_plan() -> None:
    decided = planned(3, waiting("other", demand=Demand.of({TYPE: 1}), max_runtime=HOUR))
    assert [entry.job.name for entry in decided.parks] == ["other"]


def test_what_can_neither_end_nor_save_before_the_plan_is_taken_away_does_not_start() -> None:
    assert code(planned(6.5, on_plan())) is ReasonCode.WAITS_FOR_CALENDAR
    assert [launch.job.name for launch in planned(6.5, on_plan(**SAVING)).launches] == ["big"]


def test_who_still_runs_when_the_plan_goes_is_stopped_though_the_calendar_lets_others_finish() -> None:
    live = running("big", demand=Demand.of({LINE: 4}), max_runtime=9 * HOUR, **SAVING)
    assert [entry.victim.job.name for entry in planned(7.4, live).evictions] == ["big"]


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"training_plan": "winter"}, "windows[0].training_plan", "is not an ARN"),
        ({"training_plan": 7}, "windows[0].training_plan", ""),
        ({"budget": {"*": 4}}, "windows[0].budget", "types that the training plan reserves"),
        ({"drain": "5m"}, "windows[0].drain", "cannot be combined with training_plan"),
        ({"excess": "finish"}, "windows[0].excess", "cannot be combined with training_plan"),
        ({"ends": "2026-11-21T14:40Z"}, "windows[0].ends", "last 40 minutes"),
        ({"ends": "2026-11-21T13:40Z"}, "windows[0].ends", "is not after its beginning"),
    ],
)
def test_a_window_that_no_plan_can_have_is_refused(changes: dict[str, Any], field: str, reason: str) -> None:
    (problem,) = problems_of(ConfigKind.CALENDAR, section(WINDOW | changes), a_stack("ml.g5.xlarge=2"))
    assert (problem.field, reason in problem.message) == (f"calendar.{field}", True)


def test_two_windows_of_one_plan_must_not_overlap_and_those_of_two_may() -> None:
    again = WINDOW | {"name": "again"}
    (problem,) = problems_of(ConfigKind.CALENDAR, section(WINDOW, again), a_stack("ml.g5.xlarge=2"))
    assert "overlaps the window 'winter'" in problem.message
    other = again | {"training_plan": f"{ARN}-2"}
    assert len(read(WINDOW, other, CLOSED).windows) == 3


def test_the_most_that_may_ever_be_asked_for_leaves_out_what_is_over() -> None:
    calendar = read(WINDOW)
    before, after = datetime(2026, 11, 21, 19, tzinfo=UTC), datetime(2026, 11, 21, 19, 20, tzinfo=UTC)
    assert calendar.largest_budget(STACK, before).limit[LINE] == 4
    assert calendar.largest_budget(STACK, after).limit[LINE] == 0


@pytest.mark.parametrize("plan_is_first", [True, False])
def test_other_windows_add_nothing_to_a_plan(plan_is_first: bool) -> None:
    plenty = CLOSED | {"name": "plenty", "budget": {"*": 100}}
    windows = (WINDOW, plenty) if plan_is_first else (plenty, WINDOW)
    most = read(*windows).largest_budget(STACK, NOON)
    assert (most.limit[LINE], most.limit["ml.g5.xlarge"]) == (4, 100)


def test_a_line_has_the_gpus_of_its_type_and_costs_nothing_beyond_the_plan() -> None:
    assert gpus_of(LINE) == gpus_of(TYPE) == 8
    mixed = Demand.of({LINE: 4, "ml.g5.xlarge": 1})
    assert SNAPSHOT.cost(Demand.of({LINE: 4}), HOUR) == Decimal(0)
    assert SNAPSHOT.cost(mixed, HOUR) == SNAPSHOT.cost(Demand.of({"ml.g5.xlarge": 1}), HOUR)


def test_an_unmanaged_job_is_counted_where_it_holds_instances() -> None:
    resources = {"InstanceType": TYPE, "InstanceCount": 2, "TrainingPlanArn": ARN}
    assert instances_of(resources) == Demand.of({LINE: 2})


def test_a_window_may_change_the_instances_of_processing_jobs_but_no_plan_may_reserve_them() -> None:
    usual = {name: WINDOW[name] for name in ("name", "begins", "ends")}
    stack = a_stack("ml.m5.large=1,ml.m5.large@processing=4")
    wanted = section({**usual, "budget": {"ml.m5.large@processing": 0}})
    (window,) = change_of(ConfigKind.CALENDAR, wanted, stack).after.calendar.windows
    assert window.budget == {"ml.m5.large@processing": 0}
    reserving = section({**WINDOW, "budget": {"ml.m5.large@processing": 2}})
    assert "training plans are for training jobs" in str(problems_of(ConfigKind.CALENDAR, reserving, stack))
    named = section({**WINDOW, "training_plan": ARN.replace("winter", "processing")})
    assert "stands for processing jobs" in str(problems_of(ConfigKind.CALENDAR, named, stack))
