"""Creates attempts: sends Create, and decides after an error whether the attempt exists.

A cycle may end anywhere in between. The next cycle then sends Create again with the same name.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from scheduler.core.jobs import transitions
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.requests.attempt_request import (
    attempt_request,
    created_at,
    may_prove_made_by,
    queue_tags,
    was_made_by,
)
from scheduler.core.requests.predecessor_models import require_models
from scheduler.cycle.attempts.attempt_records import AttemptRecords
from scheduler.cycle.attempts.capacity_tracker import CapacityTracker
from scheduler.cycle.attempts.stop_notices import StopNotices
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps, log_set_aside
from scheduler.errors.internal import (
    DATA_ERRORS,
    AttemptExists,
    AttemptUnknown,
    LimitExceeded,
    NameClash,
    OutcomeUnknown,
    Refused,
)
from scheduler.errors.unreadable import UnreadableBody
from scheduler.ports.training import TrainingRequest

#: How long a request may still be in flight, or unknown to Describe, after its answer was lost: far longer than the
#: client's own timeouts.
LOST_ANSWER_GRACE = timedelta(minutes=5)
#: How far the queue's and SageMaker's clocks may differ.
CLOCK_SKEW = timedelta(minutes=1)
#: How long a role or its policy may take to propagate (aws-facts 2.25).
ROLE_PROPAGATION_GRACE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Creation:
    services: CycleServices
    lease: Lease
    live_jobs: LiveJobs
    records: AttemptRecords
    capacity: CapacityTracker
    stop_notices: StopNotices
    steps: Steps

    def create(self, live_job: LiveJob, request: TrainingRequest) -> Job:
        """Sends Create for the first time and records the answer."""
        try:
            live_job, sent = self._prepared(live_job, request)
            self._send(live_job, sent)
        except (LimitExceeded, Refused, UnreadableBody) as error:
            if _may_drop_keep_alive(live_job, error):
                return self._create_without_keep_alive(live_job, request)
            return self._settle_refused(live_job, error)
        except AttemptUnknown as error:  # the name is taken, perhaps by this Create, which Describe may find later
            raise OutcomeUnknown(live_job.attempt.name) from error
        return self._confirm(live_job)

    def create_again(self, live_job: LiveJob) -> Job:
        """Sends Create again after a crash or a lost answer.

        The same name makes it the same request. LOST_ANSWER_GRACE counts from the last Create, so its time is recorded
        first. A refusal does not prove that earlier Creates had no effect: one of them may now fill the quota. The
        refused Create itself has no effect, so LOST_ANSWER_GRACE then counts from the previous Create. If the name is
        taken and Describe still does not find it afterwards, it belongs to a tuning job whose name differs in case.
        """
        sent_before = live_job.attempt.last_sent_at
        live_job = self._record_create(live_job, sent_at=self.services.clock.now())
        # That write may have been delayed until the lease was lost, or until the attempt counts as lost.
        self.steps.require_time()
        try:
            live_job, request = self._prepared(live_job, self._body(live_job))
            self._send(live_job, request)
        except UnreadableBody as error:
            live_job = self._record_create(live_job, sent_at=sent_before)
            # The request cannot be read, so the queue's tags identify the attempt.
            if not self._exists_after_all(live_job, {"Tags": queue_tags(live_job.job, live_job.attempt.number)}):
                return self._settle_refused(live_job, error)
        except (LimitExceeded, Refused, AttemptUnknown) as error:
            live_job = self._record_create(live_job, sent_at=sent_before)
            if not self._exists_after_all(live_job, request):
                if _may_drop_keep_alive(live_job, error):
                    return self._create_without_keep_alive(live_job, self._body(live_job))
                return self._settle_refused(live_job, error)
        return self._confirm(live_job)

    def _create_without_keep_alive(self, live_job: LiveJob, request: TrainingRequest) -> Job:
        """Sends Create once more, without a keep-alive period that only a rule for pools requested.

        The change is recorded first, so that a crash or a lost answer leads to the same request again.
        """
        refused, now = live_job.attempt.keep_alive or 0, self.services.clock.now()
        without = self._record_create(live_job, sent_at=now, keep_alive=0, refused_keep_alive=refused)
        self.steps.require_time()
        return self.create(without, request)

    def _record_create(self, live_job: LiveJob, **changes: Any) -> LiveJob:
        """Records the time of the next Create."""
        attempt = replace(live_job.attempt, **changes)
        self.services.stores.reservations.record_create(attempt, live_job.attempt.sent_at, self.lease)
        recorded = replace(live_job, attempt=attempt)
        self.live_jobs.replace(recorded)
        return recorded

    def _prepared(self, live_job: LiveJob, request: TrainingRequest) -> tuple[LiveJob, dict[str, object]]:
        """Returns the request to send, and the attempt. The attempt can get a stop notice if its stop object exists
        now.

        Raises UnreadableBody if the request lacks a predecessor's model, or cannot be turned into an attempt's request.
        """
        try:
            if live_job.job.options.dependencies.models:
                require_models(request)
            variables = self.stop_notices.variables(live_job, request)
            sent = attempt_request(request, live_job.job, live_job.attempt, variables)
        except DATA_ERRORS as error:
            log_set_aside("create", live_job.job.name, error)
            raise UnreadableBody(live_job.job.name) from error
        self.steps.require_time()  # S3 may have been slow
        return replace(live_job, attempt=replace(live_job.attempt, takes_notice=bool(variables))), sent

    def _body(self, live_job: LiveJob) -> dict[str, object]:
        return self.services.stores.jobs.request(live_job.job.name, live_job.job.spec.choice)

    def _send(self, live_job: LiveJob, request: dict[str, object]) -> None:
        """Sends Create. Raises its errors, or AttemptUnknown if the name is taken but Describe does not find it."""
        try:
            self.services.service_of(live_job.job.spec.kind).create(request)
        except AttemptExists as error:
            if not self._is_made_by(live_job, request):
                raise NameClash(live_job.attempt.name) from error

    def _exists_after_all(self, live_job: LiveJob, request: TrainingRequest) -> bool:
        attempt = live_job.attempt
        try:
            return self._is_made_by(live_job, request)
        except AttemptUnknown as error:
            if self.services.clock.now() - attempt.last_sent_at < LOST_ANSWER_GRACE:
                raise OutcomeUnknown(attempt.name) from error
            return False

    def _is_made_by(self, live_job: LiveJob, request: TrainingRequest) -> bool:
        """Returns whether the job in SageMaker with the attempt's name is the attempt.

        Raises OutcomeUnknown if SageMaker may not list its tags yet, or AttemptUnknown.
        """
        description = self.services.service_of(live_job.job.spec.kind).describe_any(live_job.attempt.name)
        now = self.services.clock.now()
        is_later = created_at(description) > live_job.attempt.reserved_at - CLOCK_SKEW
        if is_later and not was_made_by(description, request) and may_prove_made_by(description, request, now):
            raise OutcomeUnknown(live_job.attempt.name)
        return was_made_by(description, request)

    def _confirm(self, live_job: LiveJob) -> Job:
        attempt, now = live_job.attempt, self.services.clock.now()
        job = transitions.confirm_running(live_job.job, now)
        if attempt.refused_keep_alive:
            dropped = f"SageMaker refused KeepAlivePeriodInSeconds, {attempt.refused_keep_alive}"
            job = job.with_action(ActionKind.KEEP_ALIVE_DROPPED, now, f"{dropped}, which a rule for pools had set")
            self.capacity.refuse_keep_alive(attempt)
        return self.records.update(job, replace(attempt, created=True)).job

    def _settle_refused(
        self, live_job: LiveJob, error: LimitExceeded | Refused | UnreadableBody | AttemptUnknown
    ) -> Job:
        job, attempt, now = live_job.job, live_job.attempt, self.services.clock.now()
        match error:
            case UnreadableBody():
                reason = Reason(ReasonCode.UNREADABLE_REQUEST, str(error))
                return self.records.settle(
                    transitions.end_unstarted(job, attempt, JobState.PARKED, reason, now), attempt
                )
            case NameClash() | AttemptUnknown():
                return self.records.settle(transitions.resolve_name_clash(job, attempt, now), attempt)
            case LimitExceeded(may_pass=True):
                reason = Reason(ReasonCode.CAPACITY, str(error))
                return self.records.settle(transitions.retry_launch_later(job, reason, now), attempt)
            case LimitExceeded():
                reason = Reason(ReasonCode.CAPACITY, str(error))
                return self.records.settle(
                    transitions.end_unstarted(job, attempt, JobState.PARKED, reason, now), attempt
                )
        if error.may_pass and now - attempt.reserved_at < ROLE_PROPAGATION_GRACE:
            raise error  # the attempt stays reserved; the next cycle sends Create again
        reason = Reason(ReasonCode.CREATE_REFUSED, str(error))
        return self.records.settle(transitions.end_unstarted(job, attempt, JobState.FAILED, reason, now), attempt)


def _may_drop_keep_alive(live_job: LiveJob, error: Exception) -> bool:
    """Returns whether the attempt was refused while it had a keep-alive period that its user had not requested.

    An attempt that starts on a warm pool needs the period: without it, SageMaker uses other instances.
    """
    attempt = live_job.attempt
    is_added = bool(attempt.keep_alive) and not live_job.job.spec.keep_alive
    is_final = isinstance(error, Refused) and not isinstance(error, NameClash) and not error.may_pass
    return is_added and is_final and not attempt.on_pool
