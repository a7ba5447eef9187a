"""Defines a live job: a job with the attempt that holds budget for it, and the values derived from both."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.unsaved_work import UnsavedWork, unsaved_work


@dataclass(frozen=True)  # without slots, for its cached properties
class LiveJob:
    job: Job
    attempt: Attempt

    @property
    def is_readable(self) -> bool:
        return self.job.is_readable and self.attempt.is_readable

    @cached_property
    def started_at(self) -> datetime:
        """Returns the time at which training began or, until that is known, at which the budget was reserved."""
        observation = self.attempt.observation
        return (observation.training_started_at if observation else None) or self.attempt.reserved_at

    @property
    def is_known_to_train(self) -> bool:
        observation = self.attempt.observation
        return observation is not None and observation.training_started_at is not None

    @property
    def is_known_to_use_instances(self) -> bool:
        """Returns whether training is known to have begun, and the attempt does not wait for new instances."""
        observation = self.attempt.observation
        return observation is not None and self.attempt.without_instances_since(observation) is None

    @cached_property
    def ends_by(self) -> float:
        """Returns the time at which the time limit ends the job, in seconds since the epoch. It may end earlier."""
        return self.started_at.timestamp() + self.job.spec.max_runtime

    @cached_property
    def had_waited(self) -> timedelta:
        """Returns how long the job had been ready to start when its instances were reserved."""
        return self.attempt.reserved_at - self.job.eligible_since

    @property
    def interruptions(self) -> int:
        """Returns how often the attempt is known to have lost its spot instances."""
        return self.attempt.observation.interruptions if self.attempt.observation else 0

    @property
    def has_new_interruption(self) -> bool:
        """Returns whether the running attempt has lost its spot instances more often than the job's record shows."""
        return self.job.status.state is JobState.RUNNING and self.interruptions > self.attempt.recorded_interruptions

    @property
    def continues_on(self) -> Demand:
        """Returns the instances of a stopping attempt that are held for the job's next attempt."""
        stop = self.job.status.stop
        return stop.continues_on if stop else NOTHING

    @property
    def has_no_save(self) -> bool:
        """Returns whether the attempt is known to have saved nothing, so that a stop loses all its work."""
        return self.job.loses_all_work_of(self.attempt.saved)

    def unsaved_work(self, now: datetime) -> UnsavedWork:
        """Returns the training time that a stop now would lose."""
        # The first checkpoint comes one interval after the script began: start-up and downloads do not count.
        return unsaved_work(self._script_started_at, now, self.attempt.saved, self.job.checkpoint_interval)

    @property
    def start_up(self) -> float:
        """Returns the seconds that the attempt spent on downloads before its script began; 0 if unknown."""
        is_first_script = self.interruptions == 0
        return (self._script_started_at - self.started_at).total_seconds() if is_first_script else 0.0

    @property
    def _script_started_at(self) -> datetime:
        observation = self.attempt.observation
        return (observation.training_since if observation else None) or self.started_at
