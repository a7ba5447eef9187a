"""Defects in writes, their conditions, and reads."""

from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from types import ModuleType
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker.events import observation_of
from scheduler.adapters.dynamodb import changes, table
from scheduler.adapters.dynamodb.jobs import learned, live_attempts, reservations
from scheduler.adapters.dynamodb.lease import ledger
from scheduler.adapters.dynamodb.records import request_bodies
from scheduler.adapters.dynamodb.writes import Write
from scheduler.core.capacity.attempt_statistics import AttemptStatistics
from scheduler.core.history.change import Change
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.planner.learned import Learned
from scheduler.core.spending.spent_time import SpentTime
from scheduler.cycle.steps import Steps
from scheduler.errors.internal import BadEvent


def trust_older_events(patches: pytest.MonkeyPatch) -> None:
    _replace_condition(patches, live_attempts, "observation_update", "attribute_exists(pk)")


def recognise_duplicates_by_id(patches: pytest.MonkeyPatch) -> None:
    """Ignores only events with a known id, and accepts events that are older than the record."""
    trust_older_events(patches)
    seen: set[str] = set()

    def once(event: dict[str, Any]) -> tuple[str, Observation]:
        if event["id"] in seen:
            raise BadEvent("a duplicate")
        seen.add(event["id"])
        return observation_of(event)

    patches.setattr("training_events.handler.observation_of", once)


def read_one_page(patches: pytest.MonkeyPatch) -> None:
    partition = table.Table.partition
    patches.setattr(table.Table, "partition", lambda self, pk, **how: [*partition(self, pk, **how)][:2])


def count_no_spending(patches: pytest.MonkeyPatch) -> None:
    """Adds nothing to the counts when an attempt ends."""
    patches.setattr(learned, "spent_writes", lambda *_: [])


def count_spending_twice(patches: pytest.MonkeyPatch) -> None:
    plus = SpentTime.plus
    patches.setattr(SpentTime, "plus", lambda self, other: plus(plus(self, other), other))


def count_attempts_twice(patches: pytest.MonkeyPatch) -> None:
    plus = AttemptStatistics.plus
    patches.setattr(AttemptStatistics, "plus", lambda self, other: plus(plus(self, other), other))


def count_no_attempts(patches: pytest.MonkeyPatch) -> None:
    """Adds nothing to the statistics when an attempt ends."""
    patches.setattr(Learned, "with_statistics", lambda self, *_: self)


def trust_the_index(patches: pytest.MonkeyPatch) -> None:
    """Launches jobs that an index shows, without the condition on the job."""
    _replace_condition(patches, reservations, "rewrite_waiting_job", "attribute_exists(pk)")


def overbook(patches: pytest.MonkeyPatch) -> None:
    """Lets the planner exceed the budget by one, and drops the condition that would reject it."""

    def has(self: FreeCapacity, demand: Demand) -> bool:
        return all(count <= self.get(kind, 0) + 1 for kind, count in demand.counts)

    patches.setattr(FreeCapacity, "has", has)
    _replace_condition(patches, ledger, "reserve", "fence = :fence")


def forget_to_release(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(ledger, "change", lambda _demand, lease: ledger.check_lease(lease))


def drop_the_fence(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(ledger, "_MINE", "attribute_exists(fence)")


def compare_no_digest(patches: pytest.MonkeyPatch) -> None:
    """Sends a stored request that somebody replaced."""
    patches.setattr(request_bodies, "compare_digest", lambda *_: True)


def keep_one_change_a_second(patches: pytest.MonkeyPatch) -> None:
    item = changes.change_item

    def by_time(change: Change, expires_at: datetime) -> Any:
        return item(change, expires_at) | {"sk": {"S": f"{change.recorded_at.isoformat()}#00000000#{change.job}"}}

    patches.setattr(changes, "change_item", by_time)


def isolate_no_job(patches: pytest.MonkeyPatch) -> None:
    """Lets an error in one job's data end the cycle for all jobs."""
    patches.setattr(Steps, "isolate_data", lambda *_: nullcontext())


def move_no_attempts(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Job, "with_recent_attempts", lambda self: (self, ()))


def _replace_condition(patches: pytest.MonkeyPatch, module: ModuleType, function: str, condition: str) -> None:
    """Replaces the condition of the write that the function builds."""
    build = getattr(module, function)

    def changed(*args: Any, **kwargs: Any) -> Write:
        write: Write = build(*args, **kwargs)
        return replace(write, parameters={**write.parameters, "ConditionExpression": condition})

    patches.setattr(module, function, changed)
