"""An error in a cycle, whichever call to the table fails, lets the next cycle begin at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from scheduler.core.jobs.job_state import JobState
from support.account.simulated_queue import TIME_LEFT, SimulatedQueue


class Throttled(Exception):
    pass


@dataclass
class FailingStore:
    """Fails its call number `at`, once; calls about the lease, with which a cycle begins and ends, succeed."""

    at: int = 0
    calls: int = 0
    inner: Any = None

    def wrap(self, inner: Any) -> Any:
        self.inner = inner
        return self

    def __getattr__(self, name: str) -> Any:
        member = getattr(self.inner, name)
        if not callable(member) or name.endswith("_lease"):
            return member
        return lambda *args, **kwargs: self._run(member, *args, **kwargs)

    def _run(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        if self.calls == self.at:
            raise Throttled
        return call(*args, **kwargs)


def a_queue(store: FailingStore) -> SimulatedQueue:
    return SimulatedQueue("ml.m5.large=1", durations={"urgent": 60}, fault_point=store, wrapped_port="store")


def calls_of_an_idle_sweep() -> int:
    store = FailingStore()
    a_queue(store).scheduler.run_cycle(TIME_LEFT, sweep=True)
    return store.calls


@pytest.mark.parametrize("number", range(1, 1 + calls_of_an_idle_sweep()))
def test_a_sweep_whose_call_fails_gives_the_lease_back(number: int) -> None:
    queue = a_queue(FailingStore(number))
    with pytest.raises(Throttled):
        queue.scheduler.run_cycle(TIME_LEFT, sweep=True)
    queue.submit("urgent")
    queue.scheduler.run_cycle(TIME_LEFT, sweep=False)
    assert queue.job("urgent").status.state is not JobState.PENDING
