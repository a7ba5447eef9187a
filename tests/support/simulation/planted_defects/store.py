"""Defects in writes, their conditions, and reads."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from scheduler.adapters.aws.sagemaker_events import observation_of
from scheduler.adapters.dynamodb import changes, spending, table
from scheduler.adapters.dynamodb.jobs import writes
from scheduler.adapters.dynamodb.lease import ledger
from scheduler.adapters.dynamodb.table import Write
from scheduler.core.history.change import Change
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.planner.free_capacity import FreeCapacity
from scheduler.core.spending.spent_time import SpentTime
from scheduler.errors.internal import BadEvent


def trust_older_events(patches: pytest.MonkeyPatch) -> None:
    update = writes.observation_update

    def unconditional(*args: Any, **kwargs: Any) -> Any:
        return update(*args, **kwargs) | {"ConditionExpression": "attribute_exists(pk)"}

    patches.setattr(writes, "observation_update", unconditional)


def recognise_duplicates_by_id(patches: pytest.MonkeyPatch) -> None:
    """Ignores events with a known id only, and accepts older ones."""
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
    patches.setattr(spending, "spent_writes", lambda *_: [])


def count_spending_twice(patches: pytest.MonkeyPatch) -> None:
    plus = SpentTime.plus
    patches.setattr(SpentTime, "plus", lambda self, other: plus(plus(self, other), other))


def trust_the_index(patches: pytest.MonkeyPatch) -> None:
    """Launches what an index shows, without the condition on the job."""
    rewrite = writes.rewrite_waiting_job

    def unchecked(table: str, job: Job) -> Write:
        write = rewrite(table, job)
        return replace(write, action={"Put": write.action["Put"] | {"ConditionExpression": "attribute_exists(pk)"}})

    patches.setattr(writes, "rewrite_waiting_job", unchecked)


def overbook(patches: pytest.MonkeyPatch) -> None:
    """Lets the planner exceed the budget by one, and drops the condition that would reject it."""

    def has(self: FreeCapacity, demand: Demand) -> bool:
        return all(count <= self.get(kind, 0) + 1 for kind, count in demand.counts)

    patches.setattr(FreeCapacity, "has", has)
    reserve = ledger.reserve

    def unlimited(*args: Any, **kwargs: Any) -> Any:
        write = reserve(*args, **kwargs)
        return replace(write, action={"Update": write.action["Update"] | {"ConditionExpression": "fence = :fence"}})

    patches.setattr(ledger, "reserve", unlimited)


def forget_to_release(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(ledger, "change", lambda table, _demand, lease: ledger.check_lease(table, lease))


def drop_the_fence(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(ledger, "_MINE", "attribute_exists(fence)")


def keep_one_change_a_second(patches: pytest.MonkeyPatch) -> None:
    item = changes.change_item

    def by_time(change: Change, expires_at: datetime) -> Any:
        return item(change, expires_at) | {"sk": {"S": f"{change.recorded_at.isoformat()}#00000000#{change.job}"}}

    patches.setattr(changes, "change_item", by_time)
