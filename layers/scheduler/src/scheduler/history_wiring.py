"""What keeps the history, put together as in `wiring`."""

import os
from functools import cache

from scheduler import wiring
from scheduler.adapters.dynamodb_changes import DynamoDBChangeStore
from scheduler.adapters.eventbridge_changes import EventBridge
from scheduler.historian import Historian
from scheduler.ports.change_store import ChangeStore
from scheduler.ports.listeners import EventBus
from scheduler.settings import history_kept


@cache
def change_store() -> ChangeStore:
    return DynamoDBChangeStore(wiring.dynamodb(), wiring.settings().table_name)


@cache
def historian() -> Historian:
    return Historian(change_store(), wiring.settings().policy.teams, history_kept(os.environ))


@cache
def event_bus() -> EventBus:
    return EventBridge(wiring.client("events", config=wiring.PATIENT), os.environ["EVENT_BUS"])
