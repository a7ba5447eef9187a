"""Defects in warm pools, the calendar, shortages, and alternatives of jobs."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker import training
from scheduler.adapters.dynamodb.jobs import reservations
from scheduler.adapters.dynamodb.jobs.reservations import DynamoDBReservations
from scheduler.core.calendar import calendar
from scheduler.core.calendar.budget_schedule import ScheduledBudgets, scheduled_budgets
from scheduler.core.calendar.calendar import Calendar, Excess, ExcessRule
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.planner.placement.calendar_horizon import CalendarHorizon
from scheduler.core.planner.placement.shortage_avoidance import ShortageAvoidance
from scheduler.core.planner.plan import Launch
from scheduler.core.requests import attempt_request, job_building
from scheduler.core.requests.instances import instances_of, selected_of
from scheduler.core.sections.controls import Controls
from scheduler.core.warm_pools import matching
from scheduler.cycle.attempts.capacity_tracker import CapacityTracker
from scheduler.cycle.plan_executor import PlanExecutor
from scheduler.observe import snapshot_reader
from support.builders.jobs import changed_job


def count_pools_as_free(patches: pytest.MonkeyPatch) -> None:
    settle = DynamoDBReservations.settle
    patches.setattr(DynamoDBReservations, "settle", lambda *args, **_: settle(*args))


def compare_less_than_sagemaker(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(matching, "_RESOURCES", ("InstanceType", "InstanceCount"))


def count_lent_pools_twice(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(reservations, "lend", lambda pool, taker: replace(pool, lent_to=taker, lent=pool.demand))


def keep_alive_as_asked(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(attempt_request, "_resources", lambda *_: {})


def read_an_old_calendar(patches: pytest.MonkeyPatch) -> None:
    """Caches the calendar for ten minutes."""

    def a_while_ago(
        calendar: Calendar | None, controls: Controls, parameter: Budget, now: datetime
    ) -> ScheduledBudgets:
        return scheduled_budgets(calendar, controls, parameter, now - timedelta(minutes=10))

    patches.setattr(snapshot_reader, "scheduled_budgets", a_while_ago)


def ignore_the_calendar_horizon(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(CalendarHorizon, "first_conflict", lambda *_: None)


def use_plans_to_the_end(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(calendar, "PLAN_END_MARGIN", timedelta())


def count_plans_as_on_demand(patches: pytest.MonkeyPatch) -> None:
    def on_demand(resources: Mapping[str, Any]) -> Demand:
        return instances_of({name: value for name, value in resources.items() if name != "TrainingPlanArn"})

    patches.setattr(job_building, "instances_of", on_demand)


def stop_jobs_over_the_budget(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(ExcessRule, "of", lambda *_: Excess.STOP)


def forget_shortages(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(CapacityTracker, "after", lambda *_: CapacityMemory())
    patches.setattr(CapacityTracker, "after_end", lambda *_: None)


def let_all_jobs_probe_at_once(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(ShortageAvoidance, "_probes_in_progress", lambda *_: ())
    patches.setattr(ShortageAvoidance, "record_start", lambda *_: None)


def release_preferences_too_early(patches: pytest.MonkeyPatch) -> None:
    """Releases all preferences except the first, before SageMaker has selected one."""

    def guessed(resources: Mapping[str, Any]) -> Demand:
        if "SelectedInstanceType" in resources or "InstancePreferences" not in resources:
            return selected_of(resources)
        first = resources["InstancePreferences"][0]
        return Demand.of({first["InstanceType"]: first["InstanceCount"]})

    patches.setattr(training, "selected_of", guessed)


def reserve_the_first_choice(patches: pytest.MonkeyPatch) -> None:
    """Reserves the first alternative, even if another alternative starts."""
    launch = PlanExecutor._launch

    def reserving(self: PlanExecutor, entry: Launch, *rest: Any) -> None:
        first = changed_job(entry.job, demand=entry.job.each_choice[0].spec.demand)
        launch(self, replace(entry, job=first), *rest)

    reserving.__name__ = launch.__name__
    patches.setattr(PlanExecutor, "_launch", reserving)
