"""Records that cannot be read hold up nobody, and hold what they hold."""

from dataclasses import replace

from scheduler.domain.job import JobState
from scheduler.domain.reason import ReasonCode
from simulation.harness import World


def test_an_attempt_that_cannot_be_read_keeps_its_instances_and_the_others_go_on() -> None:
    world = World(budget="ml.m5.large=2", durations={"spoilt": 60, "one": 60, "two": 60})
    world.submit("spoilt")
    world.run(30)
    world.store.attempts["spoilt-sq-1"] = replace(world.store.attempts["spoilt-sq-1"], number=0)
    for name in ("one", "two"):
        world.submit(name, priority=5)
    world.run(30)
    assert [world.job(name).state for name in ("one", "two")] == [JobState.RUNNING, JobState.PENDING]
    world.run(900)
    assert [world.job(name).state for name in ("one", "two")] == [JobState.COMPLETED] * 2
    assert "spoilt-sq-1" in world.store.attempts


def test_a_live_job_that_cannot_be_read_is_left_alone() -> None:
    world = World(budget="ml.m5.large=1", durations={"spoilt": 60})
    world.submit("spoilt")
    world.run(30)
    job = world.job("spoilt")
    spoilt = replace(job, state=JobState.PARKED, reason=replace(job.reason, code=ReasonCode.UNREADABLE_RECORD))
    world.store.jobs["spoilt"] = spoilt
    world.run(900)
    assert world.job("spoilt") == spoilt
