"""The scenario: four jobs share two instances. One waits, one is preempted and restarts."""

from collections.abc import Callable

from examples.demo.jobs import ALL, JOB1, JOB2, JOB3, JOB4, Training
from examples.demo.stage import Jobs, Stage

Condition = Callable[[Jobs], bool]


def play(stage: Stage) -> None:
    """Submits jobs, and waits for each step that the queue must take. Raises DemoFailed if a step does not come."""
    stage.submit(JOB1, JOB2)
    stage.until("job1 and job2 train: both instances are in use.", trains(JOB1), trains(JOB2))
    stage.submit(JOB3)
    stage.until("job3 waits: no running job has a lower priority.", waits(JOB3), trains(JOB1), trains(JOB2))
    stage.until_epoch(JOB1, 3)
    stage.submit(JOB4)
    stage.until("job4 preempts job1, which has the lowest priority.", is_preempted(JOB1), trains(JOB4))
    stage.until("job2 has completed: job1, which waits longest, restarts.", is_done(JOB2), trains(JOB1))
    stage.until_resumed(JOB1)
    stage.until("Another instance is free: job3 starts.", trains(JOB3))
    stage.until("All jobs have completed: the queue is empty.", *(is_done(training) for training in ALL))


def trains(training: Training) -> Condition:
    return in_state(training, "running", lambda jobs: bool(jobs[training.name]["attempts"][-1]["training_started_at"]))


def waits(training: Training) -> Condition:
    unseen = "submitted"  # the reason until the first cycle after the submission
    return in_state(training, "pending", lambda jobs: jobs[training.name]["reason"]["code"] != unseen)


def is_preempted(training: Training) -> Condition:
    return in_state(training, "preempted")


def is_done(training: Training) -> Condition:
    return in_state(training, "completed")


def in_state(training: Training, state: str, also: Condition = lambda _: True) -> Condition:
    """Holds in this state. A list can miss a job that changes its state while the queue reads the list."""
    return lambda jobs: training.name in jobs and jobs[training.name]["state"] == state and also(jobs)
