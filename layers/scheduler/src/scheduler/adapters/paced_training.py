"""Keeps the calls to SageMaker under its rates, which the whole account shares (aws-facts 2.1)."""

from collections.abc import Mapping

from scheduler.domain.attempt import Sighting
from scheduler.ports import Clock, TrainingService

#: Seconds between two calls of a kind. Create and Stop have 1/s; of Describe's 5/s most is left to users' waiters.
CREATE_INTERVAL = 1.1
STOP_INTERVAL = 1.1
READ_INTERVAL = 0.4


class PacedTraining:
    """A TrainingService that waits before a call where the previous one was too recent."""

    def __init__(self, inner: TrainingService, clock: Clock) -> None:
        self._inner = inner
        self._clock = clock
        self._free_at: dict[str, float] = {}

    def create(self, request: Mapping[str, object]) -> None:
        self._wait_turn("create", CREATE_INTERVAL)
        self._inner.create(request)

    def describe(self, attempt_name: str) -> Sighting:
        self._wait_turn("describe", READ_INTERVAL)
        return self._inner.describe(attempt_name)

    def is_ours(self, request: Mapping[str, object]) -> bool:
        self._wait_turn("list_tags", READ_INTERVAL)
        return self._inner.is_ours(request)

    def stop(self, attempt_name: str) -> None:
        self._wait_turn("stop", STOP_INTERVAL)
        self._inner.stop(attempt_name)

    def _wait_turn(self, call: str, interval: float) -> None:
        now = self._clock.now().timestamp()
        turn = max(now, self._free_at.get(call, now))
        self._free_at[call] = turn + interval
        if turn > now:
            self._clock.sleep(turn - now)
