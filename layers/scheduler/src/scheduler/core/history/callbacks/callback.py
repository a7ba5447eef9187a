"""Defines callbacks: where the queue reports the end of a job, as specified in the submission's member `on_end`."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any

from scheduler.core.history.webhooks.webhook import WebhookUrl
from scheduler.core.jobs.job import Job
from scheduler.errors.refusals import BadRequest, bad_field, shown


class CallbackKind(StrEnum):
    """Lists the kinds of callbacks. The values are the members of `on_end`."""

    TASK_TOKEN = "task_token"  # from a Step Functions state that waits for it # noqa: S105
    PIPELINE_TOKEN = "pipeline_token"  # from a callback step in SageMaker Pipelines # noqa: S105
    EVENT_BUS = "event_bus"  # the name of an EventBridge bus
    URL = "url"  # the HTTPS address of a webhook


#: The prefix of all bus names. The role of the function `callbacks` allows no other bus.
BUS_PREFIX = "sagequeue-"
#: The most open callbacks of a job. Each try of a state that waits for the job adds one.
MOST_OPEN = 20
#: The form of each kind's address, and a text that names it. No address is ever shown.
_FORMS: Mapping[CallbackKind, tuple[re.Pattern[str], str]] = {
    CallbackKind.TASK_TOKEN: (re.compile(r"[!-~]{1,2048}"), "$$.Task.Token of a Step Functions state"),
    CallbackKind.PIPELINE_TOKEN: (re.compile(r"[a-zA-Z0-9]{10}"), "the 10-character token of a callback step"),
    CallbackKind.EVENT_BUS: (
        re.compile(rf"{BUS_PREFIX}[A-Za-z0-9/_.-]{{1,240}}"),
        f"the name of a bus in this account and region that begins with {BUS_PREFIX}",
    ),
    CallbackKind.URL: (re.compile(".+"), "an address such as https://hooks.example.org/ended"),  # WebhookUrl parses it
}
_KEY_LENGTH = 32


@dataclass(frozen=True, slots=True)
class Callback:
    job: str
    kind: CallbackKind
    address: str = field(repr=False)  # a token or a URL, which are secrets, or the name of a bus
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


@dataclass(frozen=True, slots=True)
class AllowedCallbacks:
    """The callbacks that the stack allows."""

    are_on: bool
    webhook_hosts: Collection[str]

    def read(self, on_end: Mapping[str, Any], job_name: str, now: datetime) -> tuple[Callback, ...]:
        """Returns the callbacks in the member `on_end` of a submission. Raises BadRequest, without any address."""
        if on_end and not self.are_on:
            remedy = "Ask an operator to deploy the stack with Callbacks=on, or omit on_end."
            raise BadRequest("This queue sends no callbacks", field="on_end", remedy=remedy)
        kinds = {_kind_of(name): value for name, value in on_end.items()}
        callbacks = tuple(Callback(job_name, kind, _address(kind, value), now) for kind, value in kinds.items())
        for callback in callbacks:
            if callback.kind is CallbackKind.URL:
                self._check_host(callback.address)
        return callbacks

    def _check_host(self, url: str) -> None:
        host, field_name = _host_in(url), f"on_end.{CallbackKind.URL}"
        if host not in self.webhook_hosts:
            ask = "Ask an operator to add it to the stack's parameter WebhookHosts"
            allowed = ", ".join(sorted(self.webhook_hosts))
            remedy = f"{ask}, or use one of these hosts: {allowed}." if allowed else f"{ask}."
            raise bad_field(field_name, f"has the host {shown(host)}, which this queue is not allowed to call", remedy)


def refuse_more_callbacks(open_callbacks: Sequence[Callback], added: Sequence[Callback]) -> None:
    """Raises BadRequest if the job would have too many open callbacks. Open callbacks do not count again."""
    keys = {callback.key for callback in open_callbacks}
    if len(keys | {callback.key for callback in added}) > MOST_OPEN:
        problem = f"adds to {len(keys)} open callbacks of the job, and {MOST_OPEN} are allowed"
        remedy = "Omit on_end, or wait: a callback closes when the job ends, or when its state times out."
        raise bad_field("on_end", problem, remedy)


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


def _host_in(url: str) -> str:
    try:
        return WebhookUrl.parse(url).host
    except ValueError as error:
        raise bad_field(f"on_end.{CallbackKind.URL}", str(error), "Send such an address, as a string.") from error
