"""Properties of arrays, over limits, failures, actions of users, lost events and a crash at any write of a cycle."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from local_sagemaker.state_machine.job import TERMINAL
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.requests.arrays.job_array import ArrayEnd, ArrayState, ChildState, JobArray, state_of_child
from scheduler.errors.refusals import BadRequest
from support.account.simulated_queue import ADA, SWEEP_SECONDS, SimulatedQueue
from support.faults.fault_points import FaultPoint, Killed

_INSTANCES = 4
_HOUR = 3600.0
#: The writes of a cycle that concern children: their creation, start, end and cancel, and the letters of the array.
_WRITES = frozenset({"create_child", "save_array", "launch", "settle", "save"})


def kill() -> None:
    raise Killed


class WritePoint(FaultPoint):
    """Kills a cycle at a write of an array or of a child."""

    def wrap(self, inner: Any) -> Any:
        return _OnlyWrites(inner, super().wrap(inner))


@dataclass
class _OnlyWrites:
    inner: Any
    faulty: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.faulty if name in _WRITES else self.inner, name)


@dataclass
class Sweep(SimulatedQueue):
    """Counts, at each of SageMaker's events, the children that run."""

    budget: str = f"ml.m5.large={_INSTANCES}"
    wrapped_port: str = "store"
    most: int = field(default=0, init=False)

    def _check_invariants(self) -> None:
        super()._check_invariants()
        self.most = max(self.most, sum(job.status not in TERMINAL for job in self.simulation.machine.jobs.values()))

    @property
    def array(self) -> JobArray:
        return self.store.array("sweep")

    def act(self, action: str, number: int) -> None:
        name = f"sweep-{number % self.array.size}"
        if name in self.store.jobs:
            try:
                getattr(self.control, action)(name, ADA)
            except BadRequest:
                return  # its state does not allow the action

    def run_to_the_end(self) -> None:
        for job in [*self.store.jobs.values()]:
            if job.status.state is JobState.HELD:
                self.control.release(job.name, ADA)
        self.run_until(lambda: self.array.state is ArrayState.ENDED, 12 * _HOUR)
        self.run_until_empty(6 * _HOUR)  # a child may have been requeued after the end of its array
        self.run(3 * SWEEP_SECONDS)


def check(world: Sweep, at_most: int, failing: set[int]) -> None:
    """Checks that each child exists once and has its letter, and that no more of them ran and failed than allowed."""
    array = world.array
    created = [number for number in range(array.size) if array.children[number] != ChildState.NOT_CREATED]
    assert {*world.store.jobs} == {array.name_of(number) for number in created}
    attempts = Counter(name.rsplit("-sq-", 1)[0] for name in world.simulation.machine.jobs)
    for number in created:
        job = world.job(array.name_of(number))
        assert array.children[number] == state_of_child(job)
        assert attempts[job.name] == job.status.attempts
        assert not attempts[job.name] or job.status.state is not JobState.COMPLETED or number not in failing
    assert not at_most or world.most <= at_most
    failed = array.count(ChildState.FAILED)
    if array.end is None:
        assert len(created) == array.size
        assert {number for number in created if array.children[number] == ChildState.FAILED} == failing
        assert array.count(ChildState.COMPLETED) == array.size - failed
    if array.most_failures is not None:
        # Those that ran when the limit was passed may have failed, too.
        assert failed <= array.most_failures + (at_most or _INSTANCES)
        assert (failed <= array.most_failures) or array.end is ArrayEnd.TOO_MANY_FAILURES


@settings(max_examples=25, deadline=None)
@given(
    size=st.integers(1, 8),
    at_most=st.integers(0, 3),
    most_failures=st.none() | st.integers(0, 2),
    failing=st.sets(st.integers(0, 7), max_size=6),
    at=st.integers(1, 40),
    after=st.booleans(),
    events=st.booleans(),
    acts=st.lists(st.tuples(st.sampled_from(["requeue", "hold", "release"]), st.integers(0, 7)), max_size=3),
)
def test_no_child_is_lost_doubled_or_beyond_the_limits(
    size: int,
    at_most: int,
    most_failures: int | None,
    failing: set[int],
    at: int,
    after: bool,
    events: bool,
    acts: list[tuple[str, int]],
) -> None:
    failing = {number for number in failing if number < size}
    crashing = {f"sweep-{number}" for number in failing}
    world = Sweep(crashing=crashing, deliver_events=events, fault_point=WritePoint(at, after, kill))
    world.submit_array("sweep", size, at_most=at_most, most_failures=most_failures)
    for action, number in acts:
        world.run(700)
        world.act(action, number)
    world.run_to_the_end()
    check(world, at_most, failing)


def cancel(world: Sweep) -> None:
    world.run(SWEEP_SECONDS)
    world.arrays.cancel("sweep", ADA)


def hold_for_a_while(world: Sweep) -> None:
    world.run(SWEEP_SECONDS)
    world.arrays.hold("sweep", ADA)
    world.run(12 * SWEEP_SECONDS)
    world.arrays.release("sweep", ADA)


def do_nothing(_: Sweep) -> None:
    """Lets the array run to its end."""


#: What a user does with the whole array, and the letters at its end.
_ACTIONS: Mapping[Callable[[Sweep], None], set[str]] = {
    do_nothing: {"ccc"},
    hold_for_a_while: {"ccc"},
    cancel: {"...", "s..", "ss.", "sss"},
}


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("action", _ACTIONS)
def test_a_crash_at_each_write_loses_and_doubles_no_child(action: Callable[[Sweep], None], after: bool) -> None:
    tried = 0
    while True:
        world = Sweep(fault_point=(fault := WritePoint(tried + 1, after, kill)))
        world.submit_array("sweep", 3, at_most=2)
        action(world)
        world.run_to_the_end()
        if fault.calls < fault.at:
            break
        tried += 1
        check(world, 2, set())
        assert world.array.children in _ACTIONS[action]
    assert tried >= 6  # at least two children are created, started and settled


@dataclass
class Followed(Sweep):
    """Checks at each of SageMaker's events that the job that waits for the array has not started too early."""

    def _check_invariants(self) -> None:
        super()._check_invariants()
        if "follower-sq-1" in self.simulation.machine.jobs:
            assert self.array.state is ArrayState.ENDED


@settings(max_examples=15, deadline=None)
@given(
    size=st.integers(1, 5),
    most_failures=st.none() | st.integers(0, 2),
    failing=st.sets(st.integers(0, 4), max_size=3),
    option=st.sampled_from(["after-ok", "after-any", "after-not-ok"]),
    at=st.integers(1, 40),
    after=st.booleans(),
    events=st.booleans(),
)
def test_a_job_starts_exactly_if_the_array_before_it_ended_as_asked(
    size: int, most_failures: int | None, failing: set[int], option: str, at: int, *, after: bool, events: bool
) -> None:
    failing = {number for number in failing if number < size}
    crashing = {f"sweep-{number}" for number in failing}
    world = Followed(crashing=crashing, deliver_events=events, fault_point=WritePoint(at, after, kill))
    world.submit_array("sweep", size, at_most=2, most_failures=most_failures)
    world.submit("follower", tags={f"queue:{option}": "sweep"})
    reason = world.job("follower").status.reason
    assert (reason.code, reason.waits_for) == (ReasonCode.WAITS_FOR_JOB, "sweep")
    world.run_until(lambda: world.array.state is ArrayState.ENDED, 12 * _HOUR)
    world.run(_HOUR)
    has_succeeded = len(failing) <= (most_failures or 0)
    may_start = option == "after-any" or has_succeeded == (option == "after-ok")
    assert world.job("follower").status.state is (JobState.COMPLETED if may_start else JobState.PARKED)
