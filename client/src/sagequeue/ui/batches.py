"""Carries out one action on many jobs in a thread of the page's server, so that it continues when the tab is closed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import TypedDict
from uuid import uuid4

from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import JobChange
from sagequeue.errors import QueueError

#: Maximum number of jobs in one API call. An action can stop only between two calls.
AT_ONCE = 20
#: Number of recent actions whose results the server keeps.
REMEMBERED = 50


class RefusedJob(TypedDict):
    name: str
    message: str


class BatchView(TypedDict):
    """The progress of an action; `error` is set if it could not continue."""

    id: str
    verb: str
    priority: int | None
    total: int
    changed: list[str]
    refused: list[RefusedJob]
    error: str | None
    is_stopping: bool
    is_over: bool


@dataclass(slots=True)
class _Batch:
    verb: JobChange
    names: Sequence[str]
    priority: int | None
    attempts: Mapping[str, int] | None  # the latest attempt of each job to requeue
    id: str = field(default_factory=lambda: uuid4().hex)
    changed: list[str] = field(default_factory=list)
    refused: list[RefusedJob] = field(default_factory=list)
    error: str | None = None
    stop: Event = field(default_factory=Event)
    is_over: bool = False

    @property
    def left(self) -> Sequence[str]:
        return self.names[len(self.changed) + len(self.refused) :]

    def view(self) -> BatchView:
        return {
            "id": self.id,
            "verb": self.verb,
            "priority": self.priority,
            "total": len(self.names),
            "changed": list(self.changed),
            "refused": list(self.refused),
            "error": self.error,
            "is_stopping": self.stop.is_set() and not self.is_over,
            "is_over": self.is_over,
        }


class Batches:
    def __init__(self, queue: QueueClient) -> None:
        self._queue = queue
        self._all: dict[str, _Batch] = {}

    def start(
        self,
        verb: JobChange,
        names: Sequence[str],
        priority: int | None = None,
        attempts: Mapping[str, int] | None = None,
    ) -> BatchView:
        """Starts the action in a thread that outlives the server: the command exits after the action's last call."""
        given = tuple(dict.fromkeys(names))
        # Each job moves ahead of the jobs moved before it, so reversing the names keeps their order.
        batch = _Batch(verb, given[::-1] if verb == "top" else given, priority, attempts)
        self._all[batch.id] = batch
        for old in list(self._all)[:-REMEMBERED]:
            if self._all[old].is_over:
                del self._all[old]
        view = batch.view()
        Thread(target=self._run, args=(batch,), name=f"batch {batch.id}").start()
        return view

    def views(self) -> list[BatchView]:
        return [batch.view() for batch in list(self._all.values())]

    def view(self, identifier: str) -> BatchView | None:
        """Returns the progress of an action; None for an action that the server does not know."""
        batch = self._all.get(identifier)
        return batch.view() if batch else None

    def stop(self, identifier: str) -> BatchView | None:
        """Ends the action after its current call; jobs that it has changed stay changed."""
        if batch := self._all.get(identifier):
            batch.stop.set()
        return self.view(identifier)

    def _run(self, batch: _Batch) -> None:
        try:
            while batch.left and not batch.stop.is_set():
                self._change_next(batch)
        except QueueError as error:
            batch.error = f"{error.message} {error.remedy}".strip()
        except (BotoCoreError, ClientError) as error:
            batch.error = str(error)
        finally:
            batch.is_over = True

    def _change_next(self, batch: _Batch) -> None:
        wanted = batch.left[:AT_ONCE]
        answer = self._queue.change_named(
            batch.verb, wanted, attempts=batch.attempts, priority=batch.priority, limit=AT_ONCE
        )
        batch.refused += [{"name": one["name"], "message": one["message"]} for one in answer["refused"]]
        batch.changed += answer["changed"]
