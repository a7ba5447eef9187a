"""Adopts a live attempt that the records have lost, as after a restore from a backup."""

import logging
import re
from dataclasses import dataclass, replace
from enum import Enum, auto

from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Attempt, attempt_name
from scheduler.core.jobs.demand import NOTHING
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.requests.attempt_request import JOB_TAG, attempt_request, tags_in, was_made_by
from scheduler.cycle.services import CycleServices
from scheduler.errors.internal import AttemptUnknown, Refused, UnknownJob
from scheduler.errors.refusals import UnreadableBody

logger = logging.getLogger(__name__)


class AdoptionOutcome(Enum):
    """The kinds of a live training job that the records do not know."""

    SETTLED = auto()  # adopted, or ended
    STRAY = auto()  # an attempt of a queue without a job in the records: it holds budget
    UNMANAGED = auto()


@dataclass(frozen=True, slots=True)
class Adoption:
    services: CycleServices
    lease: Lease

    def adopt(self, name: str) -> AdoptionOutcome:
        """Records the attempt as live again if it is ours and has not ended. Raises StaleJob or BodyUnavailable."""
        match = re.fullmatch(rf".+-{self.services.name_mark}-(?P<number>[1-9][0-9]*)", name)
        if match is None:
            return AdoptionOutcome.UNMANAGED
        try:
            observation = self.services.training.describe(name)
            if observation.is_terminal and not observation.keeps_instances:
                return AdoptionOutcome.SETTLED  # the list lagged
            tags = tags_in(self.services.training.describe_any(name))
        except AttemptUnknown:
            return AdoptionOutcome.SETTLED
        if JOB_TAG not in tags:
            return AdoptionOutcome.UNMANAGED
        now = self.services.clock.now()
        found = self._find_attempt(Attempt(name, tags[JOB_TAG], int(match["number"]), NOTHING, now, created=True))
        # A lost attempt that ended leaves only its pool, which holds budget until it ends by itself.
        if found is None or observation.is_terminal:
            logger.error("stray attempt", extra={"attempt": name})
            return AdoptionOutcome.STRAY
        job, attempt = found.job, replace(found.attempt, observation=observation)
        lost = next(
            (live.attempt for live in self.services.stores.live_attempts.live() if live.job.name == job.name), None
        )
        self.services.stores.reservations.adopt(transitions.adopt(job, attempt.number, now), attempt, lost, self.lease)
        logger.error("adopted", extra={"job": job.name, "attempt": name})
        return AdoptionOutcome.SETTLED

    def is_unmanaged(self, name: str) -> bool:
        """Returns whether SageMaker has a training job of that name that belongs to no queue."""
        try:
            return JOB_TAG not in tags_in(self.services.training.describe_any(name))
        except (AttemptUnknown, Refused):
            return False

    def _find_attempt(self, attempt: Attempt) -> LiveJob | None:
        """Returns the attempt with its job, if the records have that job and no newer attempt of it."""
        try:
            job = self._with_running_choice(self.services.stores.jobs.get(attempt.job_name), attempt)
            request = attempt_request(self.services.stores.jobs.request(job.name, job.spec.choice), job, attempt)
        except (UnknownJob, UnreadableBody):
            return None
        is_newest = attempt.number > job.status.attempts or not job.is_live
        is_named_so = attempt_name(job.name, self.services.name_mark, attempt.number) == attempt.name
        if not (job.is_readable and is_newest and is_named_so):
            return None
        if not was_made_by(self.services.training.describe_any(attempt.name), request):
            return None
        return LiveJob(job, replace(attempt, demand=job.spec.demand))

    def _with_running_choice(self, job: Job, attempt: Attempt) -> Job:
        """Returns the job with the choice that SageMaker runs: the records may have an earlier choice.

        Two choices may hold the same instances, such as spot and on-demand ones: then the records decide.
        """
        if not job.choices:
            return job
        held = self.services.training.held_by(attempt.name)
        return (
            job
            if job.spec.demand == held
            else next((option for option in job.each_choice if option.spec.demand == held), job)
        )
