"""Four jobs for two instances: who runs, who waits, who has to give way, and who comes back."""

from collections.abc import Callable

from examples.demo.jobs import ALL, JOB1, JOB2, JOB3, JOB4, Training
from examples.demo.stage import Jobs, Stage

Condition = Callable[[Jobs], bool]


def play(stage: Stage) -> None:
    """Each step submits something or waits for what the queue must do next. Raises Derailed if it does not."""
    stage.submit(JOB1, JOB2)
    stage.until("job1 and job2 train: both instances are taken.", trains(JOB1), trains(JOB2))
    stage.submit(JOB3)
    stage.until("job3 outranks nobody: it waits.", waits(JOB3), trains(JOB1), trains(JOB2))
    stage.until_epoch(JOB1, 3)
    stage.submit(JOB4)
    stage.until("job4 outranks job1, the lowest that runs, and takes its instance.", is_preempted(JOB1), trains(JOB4))
    stage.until("job2 is done: job1, which waits longest, comes back.", is_done(JOB2), trains(JOB1))
    stage.until_resumed(JOB1)
    stage.until("Another instance is free: job3's turn.", trains(JOB3))
    stage.until("All done, the queue is empty.", *(is_done(training) for training in ALL))


def trains(training: Training) -> Condition:
    return in_state(training, "running", lambda jobs: bool(jobs[training.name]["attempts"][-1]["training_started_at"]))


def waits(training: Training) -> Condition:
    looked_at = "submitted"  # the reason until a cycle has seen the job
    return in_state(training, "pending", lambda jobs: jobs[training.name]["reason"]["code"] != looked_at)


def is_preempted(training: Training) -> Condition:
    return in_state(training, "preempted")


def is_done(training: Training) -> Condition:
    return in_state(training, "completed")


def in_state(training: Training, state: str, also: Condition = lambda _: True) -> Condition:
    return lambda jobs: jobs[training.name]["state"] == state and also(jobs)
