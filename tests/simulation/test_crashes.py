"""A cycle that is killed anywhere leaves nothing lost, nothing doubled and never more held than the budget."""

import pytest

from scheduler.domain.job import JobState
from simulation.faults import Fuse
from simulation.harness import World

#: No fuse blows at this call: it counts how many there are.
NEVER = 1_000_000


def live_through_the_scenario(fuse: Fuse, guarded: str) -> World:
    world = World(durations={"job1": 600, "job2": 300, "job3": 120, "job4": 400}, fuse=fuse, guarded=guarded)
    for name, priority in [("job1", 1), ("job2", 2), ("job3", 1)]:
        world.submit(name, priority)
    world.run(200)
    world.submit("job4", 3)
    world.run_until_empty()
    return world


def test_the_scenario_calls_sagemaker_often_enough_to_be_worth_it() -> None:
    fuse = Fuse(NEVER, after=False)
    live_through_the_scenario(fuse, "training")
    assert fuse.calls >= 11  # five creates, one stop, five looks


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("guarded", ["training", "store"])
def test_a_kill_at_any_call_loses_and_doubles_nothing(guarded: str, after: bool) -> None:
    counting = Fuse(NEVER, after)
    live_through_the_scenario(counting, guarded)
    for at in range(1, counting.calls + 1):
        fuse = Fuse(at, after)
        world = live_through_the_scenario(fuse, guarded)
        assert world.kills == 1, f"call {at}"
        assert {job.state for job in world.store.jobs.values()} == {JobState.COMPLETED}, f"call {at}"
        completed = [job for job in world.simulation.world.jobs.values() if job.status == "Completed"]
        assert len(completed) == 4, f"call {at}"
