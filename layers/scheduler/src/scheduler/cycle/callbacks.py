"""Delivers callbacks: reports the ends of jobs to orchestrators, and sends heartbeats while the jobs wait and run.

The records of open callbacks are the only memory. A callback is removed after its delivery, so a crash repeats the
delivery, and each end is reported at least once. A run reads the records of a bounded number of jobs, however many
callbacks are open.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from scheduler.core.history.callbacks.callback import Callback, OpenCallback
from scheduler.core.history.callbacks.outcome import outcome_of
from scheduler.core.history.callbacks.timing import (
    MOST_RECENT,
    RECENT,
    in_turn,
    is_too_late,
    recent,
    takes_heartbeat,
)
from scheduler.errors.internal import DATA_ERRORS, CallbackClosed, CallbackFailed
from scheduler.ports.callbacks import CallbackReceivers, CallbackStore, DeadLetters
from scheduler.ports.clock import Clock

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CallbackDelivery:
    store: CallbackStore
    receivers: CallbackReceivers
    dead_letters: DeadLetters
    clock: Clock

    def run(self, time_left: timedelta) -> None:
        """Reports the jobs that have ended, then sends heartbeats for the remaining jobs, until the time runs out."""
        now = self.clock.now()
        until = now + time_left
        open_callbacks = self.store.open()
        if not open_callbacks:
            return
        # Those in turn come first: if time runs out, the others have their turn later.
        to_check = dict.fromkeys([*in_turn(open_callbacks, now), *self._recent(open_callbacks, now)])
        checked = self.store.with_jobs([*to_check])
        due = [one for one in checked if one.is_due]
        beating = [one for one in checked if takes_heartbeat(one)]
        extra = {"open": len(open_callbacks), "checked": len(checked), "due": len(due), "heartbeats": len(beating)}
        logger.info("callbacks", extra=extra)
        # Heartbeats come second: ends matter more, and if time runs out, heartbeats are sent a minute later.
        self._each(due, self._report, until)
        self._each(beating, self._send_heartbeat, until)

    def _recent(self, open_callbacks: Sequence[Callback], now: datetime) -> list[Callback]:
        return recent(open_callbacks, self.store.ended_since(now - RECENT, MOST_RECENT), now)

    def _each(self, callbacks: list[OpenCallback], act: Callable[[OpenCallback], None], until: datetime) -> None:
        for number, one in enumerate(callbacks):
            if self.clock.now() >= until:
                logger.warning("callbacks wait for the next run", extra={"count": len(callbacks) - number})
                return
            act(one)

    def _report(self, due: OpenCallback) -> None:
        try:
            self.receivers.report(due.callback, outcome_of(due))
        except CallbackClosed as error:
            _log("closed callback", due.callback, error)  # after a crash, the first report had arrived
        except (CallbackFailed, *DATA_ERRORS) as error:
            _log("failed callback", due.callback, error)
            if not (is_too_late(due, self.clock.now()) and self._gave_up(due.callback, error)):
                return  # the next run tries again
        self.store.close(due.callback)

    def _gave_up(self, callback: Callback, error: Exception) -> bool:
        """Sends a dead letter, and returns whether that succeeded."""
        try:
            self.dead_letters.send({**_shown(callback), "cause": _cause(error)})
        except CallbackFailed as failure:
            _log("kept a callback, because its dead letter could not be sent", callback, failure)
            return False
        return True

    def _send_heartbeat(self, waiting: OpenCallback) -> None:
        try:
            self.receivers.send_heartbeat(waiting.callback)
        except CallbackClosed as error:
            _log("closed callback", waiting.callback, error)
            self.store.close(waiting.callback)
        except CallbackFailed as error:
            _log("failed heartbeat", waiting.callback, error)


def _log(message: str, callback: Callback, error: Exception) -> None:
    logger.warning(message, extra={**_shown(callback), "cause": _cause(error)})


def _shown(callback: Callback) -> dict[str, str]:
    """Returns the callback in the form that logs and dead letters may show: with its key instead of its token."""
    return {"job": callback.job, "kind": callback.kind.value, "callback": callback.key}


def _cause(error: Exception) -> str:
    """Returns the text of the queue's own errors only, because other texts may quote a record."""
    return str(error) if isinstance(error, CallbackClosed | CallbackFailed) else type(error).__name__
