"""Whatever happens beside any call of a cycle, nothing is lost, nothing doubled, and the budget is never exceeded.

The harness checks budget and "one live attempt per job" on SageMaker's truth throughout each run.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import pytest

from scheduler.core.jobs.job import JobState
from scheduler.errors.internal import OutcomeUnknown, Throttled
from scheduler.errors.refusals import AlreadyFinished
from support.account.simulated_queue import ADA, World
from support.faults.fault_points import Fault, Fuse, Killed

#: No call has this number: such a fuse only counts.
NEVER = 1_000_000


def a_world(guarded: str, fuse: Fuse) -> World:
    durations = {"job1": 400, "job2": 250, "job3": 60, "job4": 300}
    return World(durations=durations, guarded=guarded, fuse=fuse)


def live_through_the_scenario(world: World) -> World:
    for name, priority in [("job1", 1), ("job2", 2), ("job3", 1)]:
        world.submit(name, priority)
    world.run(200)
    world.submit("job4", 3)
    world.run_until_empty()
    return world


def every_fuse(guarded: str, *, after: bool, fault: Fault) -> Iterator[Fuse]:
    counting = Fuse(NEVER, after, fault)
    live_through_the_scenario(a_world(guarded, counting))
    for at in range(1, counting.calls + 1):
        yield Fuse(at, after, fault)


def killed() -> None:
    raise Killed


def timed_out() -> None:
    raise OutcomeUnknown


def throttled() -> None:
    raise Throttled


def assert_all_completed_once(world: World, at: int) -> None:
    assert {job.state for job in world.store.jobs.values()} == {JobState.COMPLETED}, f"call {at}"
    completed = [job for job in world.simulation.machine.jobs.values() if job.status == "Completed"]
    assert len(completed) == 4, f"call {at}"


def test_the_scenario_calls_sagemaker_as_rarely_as_it_can() -> None:
    fuse = Fuse(NEVER, after=False, fault=killed)
    world = live_through_the_scenario(a_world("training", fuse))
    assert len(world.simulation.machine.jobs) == 5  # five creates and one stop; the rest are looks
    assert fuse.calls >= 11


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("guarded", ["training", "store"])
def test_a_cycle_killed_at_any_call(guarded: str, after: bool) -> None:
    for fuse in every_fuse(guarded, after=after, fault=killed):
        assert_all_completed_once(live_through_the_scenario(a_world(guarded, fuse)), fuse.at)


@pytest.mark.parametrize("after", [False, True], ids=["before it took effect", "after it took effect"])
def test_a_call_to_sagemaker_that_times_out(after: bool) -> None:
    for fuse in every_fuse("training", after=after, fault=timed_out):
        assert_all_completed_once(live_through_the_scenario(a_world("training", fuse)), fuse.at)


def test_a_call_to_sagemaker_that_is_throttled() -> None:
    for fuse in every_fuse("training", after=False, fault=throttled):
        assert_all_completed_once(live_through_the_scenario(a_world("training", fuse)), fuse.at)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("guarded", ["training", "store"])
def test_a_cancel_wins_whenever_it_comes(guarded: str, after: bool) -> None:
    for fuse in every_fuse(guarded, after=after, fault=nothing):
        world = a_world(guarded, fuse)
        names_used: list[int] = []
        fuse.fault = partial(cancel_job1, world, names_used)
        live_through_the_scenario(world)
        job = world.job("job1")
        # It may have completed before SageMaker heard of the stop; it never starts again.
        assert job.state in {JobState.STOPPED, JobState.COMPLETED}, f"call {fuse.at}"
        assert [job.attempts] == names_used, f"call {fuse.at}"


def nothing() -> None:
    """For counting calls."""


def cancel_job1(world: World, names_used: list[int]) -> None:
    with suppress(AlreadyFinished):
        world.control.cancel("job1", caller=ADA)
    names_used.append(world.job("job1").attempts)
