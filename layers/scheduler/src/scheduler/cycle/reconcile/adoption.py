"""Adopts a live attempt that the records have lost, as after a restore from a backup."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Attempt, attempt_name, number_in
from scheduler.core.jobs.demand import NOTHING
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.reconciliation.children import may_be_child
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.requests.attempt_request import (
    JOB_TAG,
    attempt_request,
    may_lack_tags,
    may_prove_made_by,
    queue_tags,
    tags_in,
    was_made_by,
)
from scheduler.core.requests.tuning.reading import running_choice
from scheduler.cycle.services import CycleServices
from scheduler.errors.internal import AttemptUnknown, UnknownJob
from scheduler.errors.unreadable import UnreadableBody

logger = logging.getLogger(__name__)


class AdoptionOutcome(Enum):
    """The kinds of live jobs that are missing from the records."""

    SETTLED = auto()  # adopted, ended, or one of ours that is about to be confirmed
    UNDECIDED = auto()  # it has the name of a reserved attempt whose record or creation is not known yet
    UNTAGGED = auto()  # it has the name of an attempt, and its tags may not be listed yet
    STRAY = auto()  # an attempt whose job is not in the records: it holds budget
    UNMANAGED = auto()  # outside the queue, perhaps under the name of an attempt and with copied tags


@dataclass(frozen=True, slots=True)
class Adoption:
    services: CycleServices
    lease: Lease

    def adopt(self, name: str, kind: WorkKind) -> AdoptionOutcome:
        """Records a listed job's attempt as live again if it belongs to the queue and has not ended.

        For a trial, adopts the tuning job, which holds the instances. Raises StaleJob or BodyUnavailable.
        """
        if kind is not WorkKind.TRAINING or not may_be_child(name, self.services.name_mark):
            return self._adopt(name, kind)
        try:
            tuning_job = self.services.training.describe(name).tuning_job
        except AttemptUnknown:
            return AdoptionOutcome.SETTLED  # the list lagged
        if any(live.attempt.created for live in self._live_named(tuning_job, WorkKind.TUNING)):
            return AdoptionOutcome.SETTLED
        return self._adopt(tuning_job, WorkKind.TUNING)

    def _adopt(self, name: str, kind: WorkKind) -> AdoptionOutcome:
        number, service = number_in(name, self.services.name_mark, kind), self.services.service_of(kind)
        if number is None:
            return AdoptionOutcome.UNMANAGED
        reserved = next(self._live_named(name, kind), None)
        try:
            observation = service.describe(name)
            if observation.is_terminal and not observation.keeps_instances:
                return AdoptionOutcome.SETTLED  # the list lagged
            description = service.describe_any(name)
        except AttemptUnknown:
            return AdoptionOutcome.UNDECIDED if reserved else AdoptionOutcome.SETTLED
        is_tagged, is_new = JOB_TAG in tags_in(description), may_lack_tags(description, self.services.clock.now())
        if not is_tagged and not is_new:
            return AdoptionOutcome.UNMANAGED
        if reserved:
            return self._compared(reserved, description)
        if not is_tagged:
            return AdoptionOutcome.UNTAGGED
        found = self._find_attempt(name, number, kind, description)
        if found is AdoptionOutcome.UNMANAGED:
            logger.error("squatted name", extra={"attempt": name})
        # A lost attempt that ended leaves only its pool, which holds budget until it ends by itself.
        elif found is AdoptionOutcome.STRAY or observation.is_terminal:
            logger.error("stray attempt", extra={"attempt": name})
            return AdoptionOutcome.STRAY
        if isinstance(found, AdoptionOutcome):
            return found
        self._record(LiveJob(found.job, replace(found.attempt, observation=observation)))
        return AdoptionOutcome.SETTLED

    def _record(self, found: LiveJob) -> None:
        job, attempt, now = found.job, found.attempt, self.services.clock.now()
        lost = next((live.attempt for live in self._live() if live.job.name == job.name), None)
        self.services.stores.reservations.adopt(transitions.adopt(job, attempt.number, now), attempt, lost, self.lease)
        logger.error("adopted", extra={"job": job.name, "attempt": attempt.name})

    def _compared(self, reserved: LiveJob, description: Mapping[str, Any]) -> AdoptionOutcome:
        """Compares a training job with the attempt whose name it has."""
        if not reserved.is_readable:
            return AdoptionOutcome.UNDECIDED
        request = self._request(reserved.job, reserved.attempt)
        if was_made_by(description, request):
            return AdoptionOutcome.SETTLED
        may_be_ours = may_prove_made_by(description, request, self.services.clock.now())
        return AdoptionOutcome.UNDECIDED if may_be_ours else AdoptionOutcome.UNMANAGED

    def _find_attempt(
        self, name: str, number: int, kind: WorkKind, description: Mapping[str, Any]
    ) -> LiveJob | AdoptionOutcome:
        """Returns the attempt with its job, if the records have the job but no newer attempt."""
        job_name, now = tags_in(description)[JOB_TAG], self.services.clock.now()
        attempt = Attempt(name, job_name, number, NOTHING, now, created=True)
        try:
            job = self._with_running_choice(self.services.stores.jobs.get(job_name), name, kind, description)
        except UnknownJob:
            return AdoptionOutcome.STRAY
        if not job.is_readable:
            return AdoptionOutcome.STRAY
        is_named_so = (
            job.spec.kind is kind
            and attempt_name(job.name, self.services.name_mark, attempt.number, kind) == attempt.name
        )
        if not is_named_so or not was_made_by(description, self._request(job, attempt)):
            return AdoptionOutcome.UNMANAGED
        # SageMaker reported how the attempt ended, so this is another training job, created after a user deleted the
        # attempt.
        ended_before = self.services.stores.jobs.with_all_attempts(job).status.history
        if any(ended.number == attempt.number and ended.status for ended in ended_before):
            return AdoptionOutcome.UNMANAGED
        is_newest = attempt.number > job.status.attempts or not job.is_live
        return LiveJob(job, replace(attempt, demand=job.spec.demand)) if is_newest else AdoptionOutcome.STRAY

    def _request(self, job: Job, attempt: Attempt) -> Mapping[str, Any]:
        """Returns the attempt's request; if it cannot be read, only the tags that nobody but the queue can compute."""
        try:
            return attempt_request(self.services.stores.jobs.request(job.name, job.spec.choice), job, attempt)
        except UnreadableBody:
            return {"Tags": queue_tags(job, attempt.number)}

    def _live_named(self, name: str, kind: WorkKind) -> Iterator[LiveJob]:
        return (live for live in self._live() if live.attempt.name == name and live.job.spec.kind is kind)

    def _live(self) -> tuple[LiveJob, ...]:
        return self.services.live_job_cache.live()

    def _with_running_choice(self, job: Job, name: str, kind: WorkKind, description: Mapping[str, Any]) -> Job:
        """Returns the job with the choice that SageMaker runs: the records may have an earlier choice.

        Two choices may hold the same instances, for example one on spot and one on demand. In that case, the records
        decide.
        """
        if not job.choices:
            return job
        if kind is WorkKind.TUNING:
            return running_choice(job, description)
        held = self.services.training.held_by(name)
        return next((choice for choice in (job, *job.each_choice) if choice.spec.demand == held), job)
