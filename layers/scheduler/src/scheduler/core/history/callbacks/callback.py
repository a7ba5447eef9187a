"""Defines callbacks: where the queue reports the end of a job, as specified in the submission's member `on_end`."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any

from scheduler.core.jobs.job import Job
from scheduler.errors.refusals import BadRequest, bad_field


class CallbackKind(StrEnum):
    """Lists the kinds of callbacks. The values are the members of `on_end`."""

    TASK_TOKEN = "task_token"  # from a Step Functions state that waits for it # noqa: S105
    PIPELINE_TOKEN = "pipeline_token"  # from a callback step in SageMaker Pipelines # noqa: S105
    EVENT_BUS = "event_bus"  # the name of an EventBridge bus


#: The prefix of all bus names. The role of the function `callbacks` allows no other bus.
BUS_PREFIX = "sagequeue-"
#: The form of each kind's address, and a text that names it. Neither token is ever shown.
_FORMS: Mapping[CallbackKind, tuple[re.Pattern[str], str]] = {
    CallbackKind.TASK_TOKEN: (re.compile(r"[!-~]{1,2048}"), "$$.Task.Token of a Step Functions state"),
    CallbackKind.PIPELINE_TOKEN: (re.compile(r"[a-zA-Z0-9]{10}"), "the 10-character token of a callback step"),
    CallbackKind.EVENT_BUS: (
        re.compile(rf"{BUS_PREFIX}[A-Za-z0-9/_.-]{{1,240}}"),
        f"the name of a bus in this account and region that begins with {BUS_PREFIX}",
    ),
}
_KEY_LENGTH = 32


@dataclass(frozen=True, slots=True)
class Callback:
    job: str
    kind: CallbackKind
    address: str = field(repr=False)  # a token, which is a secret, or the name of a bus
    added_at: datetime

    @property
    def key(self) -> str:
        """Returns a digest that identifies the callback among those of its job, and does not reveal the address."""
        return sha256(json.dumps([self.kind, self.address]).encode()).hexdigest()[:_KEY_LENGTH]


@dataclass(frozen=True, slots=True)
class OpenCallback:
    """A callback that still has to be reported, with its job. The job is None if its record is missing."""

    callback: Callback
    job: Job | None

    @property
    def is_due(self) -> bool:
        """Returns whether the job has ended, so that the callback can be reported."""
        return self.job is None or self.job.is_finished


def read_callbacks(on_end: Mapping[str, Any], job_name: str, now: datetime, *, are_on: bool) -> tuple[Callback, ...]:
    """Returns the callbacks in the member `on_end` of a submission. Raises BadRequest, which shows no token."""
    if on_end and not are_on:
        remedy = "Ask an operator to deploy the stack with Callbacks=on, or omit on_end."
        raise BadRequest("This queue sends no callbacks", field="on_end", remedy=remedy)
    kinds = {_kind_of(name): value for name, value in on_end.items()}
    return tuple(Callback(job_name, kind, _address(kind, value), now) for kind, value in kinds.items())


def _kind_of(name: str) -> CallbackKind:
    try:
        return CallbackKind(name)
    except ValueError as error:  # the name is not shown: it may be a token in the wrong place
        raise bad_field("on_end", "has an unknown member", f"Use {', '.join(CallbackKind)}.") from error


def _address(kind: CallbackKind, value: object) -> str:
    form, wanted = _FORMS[kind]
    if not isinstance(value, str) or not form.fullmatch(value):
        raise bad_field(f"on_end.{kind}", "is not valid", f"Send {wanted}, as a string.")
    return value
