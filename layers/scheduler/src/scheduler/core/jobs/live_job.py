"""A live job: a job with the attempt that holds budget for it, and what follows from both."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from math import inf

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job


@dataclass(frozen=True)  # without slots, for its cached properties
class LiveJob:
    job: Job
    attempt: Attempt

    @property
    def is_readable(self) -> bool:
        return self.job.is_readable and self.attempt.is_readable

    @cached_property
    def started_at(self) -> datetime:
        """Returns when its training began; until that is known, when its budget was reserved."""
        observation = self.attempt.observation
        return (observation.training_started_at if observation else None) or self.attempt.reserved_at

    @property
    def is_known_to_train(self) -> bool:
        observation = self.attempt.observation
        return observation is not None and observation.training_started_at is not None

    @cached_property
    def ends_by(self) -> float:
        """Returns when its time limit ends it at the latest, in seconds since the epoch."""
        return self.started_at.timestamp() + self.job.spec.max_runtime

    @cached_property
    def had_waited(self) -> timedelta:
        """Returns the time from its submission until its instances were reserved."""
        return self.attempt.reserved_at - self.job.submitted_at

    def unsaved_work(self, now: datetime) -> float:
        """Returns the seconds of training that a stop would lose, if the script writes checkpoints as its user says."""
        observation = self.attempt.observation
        # The first checkpoint comes one interval after the script began: start-up and downloads do not count.
        began = (observation.training_since if observation else None) or self.started_at
        trained = max(0.0, (now - began).total_seconds())
        return trained % (self.job.options.checkpoint_interval or inf)
