"""A live job: a job together with the attempt that holds budget for it."""

from datetime import datetime, timedelta
from functools import cached_property
from math import inf

from attrs import frozen

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job


@frozen(slots=False)  # without slots, for which attrs would write cached properties anew
class LiveJob:
    """A job together with the attempt that holds budget for it."""

    job: Job
    attempt: Attempt

    @property
    def is_readable(self) -> bool:
        return self.job.is_readable and self.attempt.is_readable

    @cached_property
    def started_at(self) -> datetime:
        """When its training began, as far as that is known."""
        observation = self.attempt.observation
        return (observation.training_started_at if observation else None) or self.attempt.reserved_at

    @property
    def is_known_to_train(self) -> bool:
        """Or to have trained."""
        observation = self.attempt.observation
        return observation is not None and observation.training_started_at is not None

    @cached_property
    def ends_by(self) -> float:
        """When its time limit ends it at the latest, in seconds since the epoch."""
        return self.started_at.timestamp() + self.job.max_runtime

    @cached_property
    def had_waited(self) -> timedelta:
        """How long ago it was submitted when it got its instances."""
        return self.attempt.reserved_at - self.job.submitted_at

    def unsaved_work(self, now: datetime) -> float:
        """Seconds of training that a stop would lose: since the last checkpoint, if it writes them as its user says."""
        observation = self.attempt.observation
        # The first checkpoint comes an interval after the script began: starting and downloading do not count.
        began = (observation.training_since if observation else None) or self.started_at
        trained = max(0.0, (now - began).total_seconds())
        return trained % (self.job.checkpoint_interval or inf)
