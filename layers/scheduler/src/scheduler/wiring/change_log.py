"""Builds the services that keep the history."""

import os
from datetime import timedelta
from functools import cache

from scheduler.adapters.aws.eventbridge import EventBridge
from scheduler.adapters.aws.notices.sns_subscriptions import SnsMailSubscriptions
from scheduler.adapters.dynamodb.changes import DynamoDBChangeStore
from scheduler.ports.change_store import ChangeStore
from scheduler.ports.notifications import EventBus, MailSubscriptions, NoticeSender
from scheduler.settings import history_retention
from scheduler.wiring import shared


@cache
def change_store() -> ChangeStore:
    return DynamoDBChangeStore(shared.table())


@cache
def retention() -> timedelta:
    """Returns the time for which changes are kept."""
    return history_retention(os.environ)


@cache
def event_bus() -> EventBus:
    # Repeats after a final refusal would only delay the history and its notices.
    return EventBridge(shared.client("events", config=shared.PATIENT), os.environ["EVENT_BUS"], gives_up=True)


@cache
def notice_sender() -> NoticeSender:
    return shared.notices()


@cache
def mail_subscriptions() -> MailSubscriptions:
    return SnsMailSubscriptions(shared.client("sns", config=shared.PATIENT), shared.settings().mail_topic)
