"""A throttled call loses and doubles no job, and a cancel wins whenever it comes. Other faults: test_crash_points.py.

`SimulatedQueue` checks the budget and "one live attempt per job" on SageMaker's own records throughout each run.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import pytest

from scheduler.core.jobs.job_state import JobState
from scheduler.errors.internal import Throttled
from scheduler.errors.wrong_state import AlreadyFinished
from support.account.simulated_queue import ADA, SimulatedQueue
from support.faults.fault_points import Fault, FaultPoint

#: No call has this number: such a fault point only counts.
NEVER = 1_000_000


def a_world(wrapped_port: str, fault_point: FaultPoint) -> SimulatedQueue:
    durations = {"job1": 400, "job2": 250, "job3": 60, "job4": 300}
    return SimulatedQueue(durations=durations, wrapped_port=wrapped_port, fault_point=fault_point)


def live_through_the_scenario(world: SimulatedQueue) -> SimulatedQueue:
    for name, priority in [("job1", 1), ("job2", 2), ("job3", 1)]:
        world.submit(name, priority)
    world.run(200)
    world.submit("job4", 3)
    world.run_until_empty()
    return world


def every_fault_point(wrapped_port: str, *, after: bool, fault: Fault) -> Iterator[FaultPoint]:
    counting = FaultPoint(NEVER, after, fault)
    live_through_the_scenario(a_world(wrapped_port, counting))
    for at in range(1, counting.calls + 1):
        yield FaultPoint(at, after, fault)


def nothing() -> None:
    """For counting calls."""


def throttled() -> None:
    raise Throttled


def assert_all_completed_once(world: SimulatedQueue, at: int) -> None:
    assert {job.status.state for job in world.store.jobs.values()} == {JobState.COMPLETED}, f"call {at}"
    completed = [job for job in world.simulation.machine.jobs.values() if job.status == "Completed"]
    assert len(completed) == 4, f"call {at}"


def test_the_scenario_calls_sagemaker_as_rarely_as_it_can() -> None:
    fault_point = FaultPoint(NEVER, after=False, fault=nothing)
    world = live_through_the_scenario(a_world("training", fault_point))
    assert len(world.simulation.machine.jobs) == 5  # five creates and one stop; the rest are looks
    assert fault_point.calls >= 11


def test_a_call_to_sagemaker_that_is_throttled() -> None:
    for fault_point in every_fault_point("training", after=False, fault=throttled):
        assert_all_completed_once(live_through_the_scenario(a_world("training", fault_point)), fault_point.at)


@pytest.mark.parametrize(
    ("wrapped_port", "after"),
    [("training", False), ("training", True), ("store", False)],  # after a call to the store is before the next one
)
def test_a_cancel_wins_whenever_it_comes(wrapped_port: str, after: bool) -> None:
    for fault_point in every_fault_point(wrapped_port, after=after, fault=nothing):
        world = a_world(wrapped_port, fault_point)
        names_used: list[int] = []
        fault_point.fault = partial(cancel_job1, world, names_used)
        live_through_the_scenario(world)
        job = world.job("job1")
        # It may have completed before SageMaker heard of the stop; it never starts again.
        assert job.status.state in {JobState.STOPPED, JobState.COMPLETED}, f"call {fault_point.at}"
        assert [job.status.attempts] == names_used, f"call {fault_point.at}"


def cancel_job1(world: SimulatedQueue, names_used: list[int]) -> None:
    with suppress(AlreadyFinished):
        world.control.cancel("job1", caller=ADA)
    names_used.append(world.job("job1").status.attempts)
