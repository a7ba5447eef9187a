"""Delivers state changes as EventBridge would, to the targets of the matching rules on the default bus.

Also sends the messages of callback steps to SQS.

PutEvents refuses sources that begin with `aws.`, even in emulators. So this module finds the matching rules itself.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from functools import reduce
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from local_sagemaker.state_machine.commands import MessageSent, StateChanged

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_events.type_defs import InputTransformerOutputTypeDef
    from mypy_boto3_lambda import LambdaClient

_log = logging.getLogger(__name__)

Event = dict[str, Any]


class EventBus:
    """The default bus: its rules and their Lambda targets."""

    def __init__(self, events: EventBridgeClient, functions: LambdaClient) -> None:
        self._events = events
        self._functions = functions

    def deliver(self, event: Event) -> None:
        for rule in self._matching(json.dumps(event)):
            for target in self._events.list_targets_by_rule(Rule=rule)["Targets"]:
                if ":lambda:" in target["Arn"]:
                    text = _input(target.get("InputTransformer"), event)
                    self._functions.invoke(FunctionName=target["Arn"], InvocationType="Event", Payload=text)

    def _matching(self, event: str) -> Iterator[str]:
        for page in self._events.get_paginator("list_rules").paginate():
            for rule in page["Rules"]:
                pattern = rule.get("EventPattern")
                if rule.get("State") != "DISABLED" and pattern and self._matches(pattern, event):
                    yield rule["Name"]

    def _matches(self, pattern: str, event: str) -> bool:
        return self._events.test_event_pattern(EventPattern=pattern, Event=event)["Result"]


def _input(transformer: InputTransformerOutputTypeDef | None, event: Event) -> str:
    """Returns the input for the target: the event, or the target's template with values from the event."""
    if transformer is None:
        return json.dumps(event)
    values = {name: _at(path, event) for name, path in transformer["InputPathsMap"].items()}
    return re.sub(r"<(\w+)>", lambda found: json.dumps(values[found[1]]), transformer["InputTemplate"])


def _at(path: str, event: Event) -> Any:
    """Returns the value at a path such as `$.detail.TrainingJobName`."""
    return reduce(lambda value, key: value[key], path.split(".")[1:], event)


class BackgroundDelivery:
    """Delivers events, and messages to SQS, in the background and in order.

    A failed delivery loses the event, as can happen in SageMaker.
    """

    def __init__(self, bus: EventBus, queues: Any) -> None:
        self._bus = bus
        self._queues = queues
        self._waiting: SimpleQueue[StateChanged | MessageSent] = SimpleQueue()
        Thread(target=self._work, name="event-delivery", daemon=True).start()

    def send(self, effect: StateChanged | MessageSent) -> None:
        self._waiting.put(effect)

    def _work(self) -> None:
        while True:
            effect = self._waiting.get()
            try:
                self._deliver(effect)
            except (BotoCoreError, ClientError) as error:
                _log.warning("%s was lost: %s", effect, error)

    def _deliver(self, effect: StateChanged | MessageSent) -> None:
        if isinstance(effect, MessageSent):
            self._queues.send_message(QueueUrl=effect.queue_url, MessageBody=effect.body)
        else:
            self._bus.deliver(effect.event)
