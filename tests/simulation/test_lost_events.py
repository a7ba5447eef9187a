"""An end of which no event comes is found all the same, and how late is known."""

from collections import Counter
from datetime import timedelta

from scheduler.domain.job import JobState
from scheduler.policy.looks import LOOKS_EVERY, LOOKS_PER_SWEEP
from simulation.harness import SWEEP_SECONDS, World

A_SWEEP = timedelta(seconds=SWEEP_SECONDS)


def found_after(world: World) -> timedelta:
    """How long after SageMaker's end the queue knows of it."""
    world.run_until(lambda: world.job("job").state is JobState.COMPLETED)
    [attempt] = world.simulation.world.jobs.values()
    assert attempt.ended_at is not None
    return timedelta(seconds=world.clock.now().timestamp() - attempt.ended_at)


def test_an_end_whose_event_alone_is_lost_is_found_at_the_next_turn() -> None:
    world = World(durations={"job": 6000})
    world.submit("job")
    world.run(3000)
    world.deliver_events = False
    assert A_SWEEP < found_after(world) < LOOKS_EVERY + 2 * A_SWEEP


def test_where_no_events_come_at_all_each_sweep_asks() -> None:
    world = World(durations={"job": 6000}, deliver_events=False)
    world.submit("job")
    assert found_after(world) < 2 * A_SWEEP


def test_of_a_crowd_that_began_together_each_is_asked_about_although_one_sweep_cannot_ask_about_all() -> None:
    crowd = [f"job{number:03}" for number in range(3 * LOOKS_PER_SWEEP)]
    world = World(budget=f"ml.m5.large={len(crowd)}", durations=dict.fromkeys(crowd, 36_000))
    for name in crowd:
        world.submit(name)
    world.run(300)
    asked: Counter[str] = Counter()
    event = "provide-client-params.sagemaker.DescribeTrainingJob"
    world.client.meta.events.register(event, lambda params, **_: asked.update([params["TrainingJobName"]]))
    world.run(2400)
    assert asked.keys() == {f"{name}-sq-1" for name in crowd}
    assert max(asked.values()) <= 3  # in 40 minutes: its turns, and no more
