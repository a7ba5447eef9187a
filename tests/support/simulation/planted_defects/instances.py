"""Defects of what decides on instances: warm pools, the calendar, where they were lacking, the choices of a job."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from attrs import evolve

from scheduler.adapters.aws import sagemaker_training
from scheduler.adapters.aws.training_resources import selected_of
from scheduler.adapters.dynamodb.jobs import store
from scheduler.adapters.dynamodb.jobs.store import DynamoDBJobStore
from scheduler.core.calendar import calendar
from scheduler.core.calendar.period import Excess, ExcessRule
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.documents.controls import Controls
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.planner.placement.calendar_horizon import CalendarHorizon
from scheduler.core.planner.placement.shortage_avoidance import ShortageAvoidance
from scheduler.core.planner.plan import Launch
from scheduler.core.requests import attempt_request, request_reading
from scheduler.core.warm_pools import matching
from scheduler.cycle.capacity_tracker import CapacityTracker
from scheduler.cycle.plan_executor import PlanExecutor
from scheduler.observe.budget_schedule import BudgetSchedule, ScheduledBudgets


def count_pools_as_free(patches: pytest.MonkeyPatch) -> None:
    settle = DynamoDBJobStore.settle
    patches.setattr(DynamoDBJobStore, "settle", lambda *args, **_: settle(*args))


def compare_less_than_sagemaker(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(matching, "_RESOURCES", ("InstanceType", "InstanceCount"))


def count_lent_pools_twice(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(store, "lend", lambda pool, taker: evolve(pool, lent_to=taker, lent=pool.demand))


def keep_alive_as_asked(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(attempt_request, "_resources", lambda *_: {})


def be_late_for_the_calendar(patches: pytest.MonkeyPatch) -> None:
    """As with a calendar that is kept in a cache for too long."""
    in_force = BudgetSchedule.in_force

    def a_while_ago(self: BudgetSchedule, controls: Controls, parameter: Budget, now: datetime) -> ScheduledBudgets:
        return in_force(self, controls, parameter, now - timedelta(minutes=10))

    patches.setattr(BudgetSchedule, "in_force", a_while_ago)


def start_what_will_be_in_the_way(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(CalendarHorizon, "first_conflict", lambda *_: None)


def use_plans_to_the_end(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(calendar, "PLAN_END_MARGIN", timedelta())


def run_plans_on_what_is_on_demand(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(request_reading, "budget_line_of", lambda kind, _: kind)


def stop_whoever_is_over_the_budget(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(ExcessRule, "of", lambda *_: Excess.STOP)


def forget_what_was_lacking(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(CapacityTracker, "after", lambda *_: CapacityMemory())
    patches.setattr(CapacityTracker, "after_end", lambda *_: None)


def let_all_try_at_once(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(ShortageAvoidance, "_probes_in_progress", lambda *_: ())
    patches.setattr(ShortageAvoidance, "record_start", lambda *_: None)


def release_preferences_too_early(patches: pytest.MonkeyPatch) -> None:
    """All but the first one, before SageMaker has selected."""

    def guessed(resources: Mapping[str, Any]) -> Demand:
        if "SelectedInstanceType" in resources or "InstancePreferences" not in resources:
            return selected_of(resources)
        first = resources["InstancePreferences"][0]
        return Demand.of({first["InstanceType"]: first["InstanceCount"]})

    patches.setattr(sagemaker_training, "selected_of", guessed)


def reserve_the_first_choice(patches: pytest.MonkeyPatch) -> None:
    """Whichever is taken."""
    launch = PlanExecutor._launch

    def reserving(self: PlanExecutor, entry: Launch, *rest: Any) -> None:
        first = evolve(entry.job, demand=entry.job.each_choice[0].demand)
        launch(self, evolve(entry, job=first), *rest)

    reserving.__name__ = launch.__name__
    patches.setattr(PlanExecutor, "_launch", reserving)
