"""An end without an event is found by polling, in bounded time."""

from collections import Counter
from datetime import timedelta

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.job import Secondary
from scheduler.core.jobs.job_state import JobState
from scheduler.core.reconciliation.polling import POLL_INTERVAL, POLLS_PER_SWEEP
from support.account.simulated_queue import SWEEP_SECONDS, SimulatedQueue

A_SWEEP = timedelta(seconds=SWEEP_SECONDS)


def found_after(world: SimulatedQueue) -> timedelta:
    """The time between SageMaker's end and the moment at which the queue knows of it."""
    world.run_until(lambda: world.job("job").status.state is JobState.COMPLETED)
    [attempt] = world.simulation.machine.jobs.values()
    assert attempt.ended_at is not None
    return timedelta(seconds=world.clock.now().timestamp() - attempt.ended_at)


def ends_found_after(listed_after: float) -> timedelta:
    """Returns the time after the last end at which the ends of all short jobs are known, without their events."""
    names = ["job1", "job2", "job3", "job4"]
    unknowns = Unknowns(listed_after_seconds=listed_after)
    world = SimulatedQueue(
        budget="ml.m5.large=4", durations=dict.fromkeys(names, 20), behaviour=Behaviour(unknowns=unknowns)
    )
    for name in names:
        world.submit(name)
    world.run(125)  # instances after a minute, Training after another
    jobs = world.simulation.machine.jobs
    assert [job.secondary for job in jobs.values()] == 4 * [Secondary.TRAINING]
    world.deliver_events = False
    world.run_until(lambda: all(world.job(name).status.state is JobState.COMPLETED for name in names))
    return timedelta(seconds=world.clock.now().timestamp() - max(job.ended_at or 0 for job in jobs.values()))


def test_an_end_whose_event_alone_is_lost_is_found_at_the_next_turn() -> None:
    world = SimulatedQueue(durations={"job": 6000})
    world.submit("job")
    world.run(3000)
    world.deliver_events = False
    assert A_SWEEP < found_after(world) < POLL_INTERVAL + 2 * A_SWEEP


def test_the_lost_ends_of_short_jobs_are_found_by_the_list_at_once() -> None:
    assert ends_found_after(listed_after=0) < 2 * A_SWEEP


def test_a_list_that_lags_hides_an_end_until_the_next_turn_at_most() -> None:
    assert 2 * A_SWEEP < ends_found_after(listed_after=45) < POLL_INTERVAL + 2 * A_SWEEP


def test_many_are_asked_about_by_few_calls() -> None:
    crowd = [f"job{number:02}" for number in range(30)]
    world = SimulatedQueue(budget="ml.m5.large=30", durations=dict.fromkeys(crowd, 600))
    calls: Counter[str] = Counter()
    world.client.meta.events.register(
        "provide-client-params.sagemaker", lambda event_name, **_: calls.update([event_name.rpartition(".")[2]])
    )
    for name in crowd:
        world.submit(name)
    world.run_until_empty()
    assert calls["CreateTrainingJob"] == len(crowd)
    assert calls["DescribeTrainingJob"] + calls["ListTrainingJobs"] < 1.5 * len(crowd)


def test_where_no_events_come_at_all_each_sweep_asks() -> None:
    world = SimulatedQueue(durations={"job": 6000}, deliver_events=False)
    world.submit("job")
    assert found_after(world) < 2 * A_SWEEP


def test_of_many_attempts_that_began_together_each_is_polled_although_one_sweep_cannot_poll_all() -> None:
    crowd = [f"job{number:03}" for number in range(3 * POLLS_PER_SWEEP)]
    world = SimulatedQueue(budget=f"ml.m5.large={len(crowd)}", durations=dict.fromkeys(crowd, 36_000))
    for name in crowd:
        world.submit(name)
    world.run(300)
    asked: Counter[str] = Counter()
    event = "provide-client-params.sagemaker.DescribeTrainingJob"
    world.client.meta.events.register(event, lambda params, **_: asked.update([params["TrainingJobName"]]))
    world.run(2400)
    assert asked.keys() == {f"{name}-sq-1" for name in crowd}
    assert max(asked.values()) <= 3  # in 40 minutes: its turns, and no more
