"""Open callbacks, the orchestrators that receive them, and the dead letters for callbacks that cannot be delivered."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from scheduler.core.history.callbacks.callback import Callback, OpenCallback
from scheduler.core.history.callbacks.outcome import Outcome


class CallbackStore(Protocol):
    """Stores the callbacks that have not been delivered. `JobStore.submit` adds a new job's callbacks."""

    def add(self, callbacks: Sequence[Callback]) -> None:
        """Adds callbacks for an existing job. A callback that is already open does not change."""

    def open(self) -> Sequence[Callback]:
        """Returns all open callbacks. Reads consistently."""

    def with_jobs(self, callbacks: Sequence[Callback]) -> Sequence[OpenCallback]:
        """Returns each callback with its job. Reads each job once, consistently."""

    def ended_since(self, moment: datetime, limit: int) -> Collection[str]:
        """Returns the names of the most recently finished jobs, at most `limit`. May lag."""

    def open_for(self, job: str) -> Sequence[Callback]:
        """Returns a job's open callbacks, at most MOST_OPEN. May lag."""

    def close(self, callback: Callback) -> None:
        """Removes the callback, if it is still open."""


class CallbackReceivers(Protocol):
    """Calls the orchestrators.

    Raises CallbackClosed if nobody is waiting any more, and CallbackFailed after any other failure.
    """

    def report(self, callback: Callback, outcome: Outcome) -> None:
        """Reports the end of the job."""

    def send_heartbeat(self, callback: Callback) -> None:
        """Reports to the orchestrator that the job has not ended. Only for task tokens."""


class DeadLetters(Protocol):
    def send(self, letter: Mapping[str, str]) -> None:
        """Adds a letter to the queue of dead letters, for operators. Raises CallbackFailed."""
