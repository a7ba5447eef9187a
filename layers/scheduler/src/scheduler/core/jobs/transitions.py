"""Defines the changes that a cycle makes to a job's state. docs/contribute/records.md has a diagram of all states."""

from dataclasses import replace
from datetime import UTC, datetime
from math import inf

from scheduler.core.jobs.attempt import Attempt, EndedAttempt, Observation, Outcome
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import QUEUE, ActionKind, JobState, Stop, StopCause
from scheduler.core.jobs.reason import Reason, ReasonCode, hung_for, idle_for, nan_for, used_less_than
from scheduler.core.jobs.stop_notice import StopNotice
from scheduler.core.jobs.unsaved_work import interrupted_seconds

#: Used only for completed attempts, since an infrastructure failure leaves no pool either (aws-facts 2.52, 2.53).
_NO_POOL = "no warm pool appeared: ask AWS to raise the quota for training warm pool usage of this type"

#: The action after an attempt of a tuning job whose trials all failed.
_CONTINUES = "continues with the trials that are left"

#: States of jobs whose last attempt may have left a model.
_WITH_RESULTS = frozenset({JobState.COMPLETED, JobState.STOPPED})


def launch(job: Job, reason: Reason, now: datetime) -> Job:
    status = replace(
        job.status,
        state=JobState.LAUNCHING,
        reason=reason,
        updated_at=now,
        attempts=job.status.attempts + 1,
        selected=NOTHING,
        idle_warned_at=None,
        underused_warned_at=None,
        hang_warned_at=None,
        nan_warned_at=None,
    )
    return replace(job, status=status)


def confirm_running(job: Job, now: datetime) -> Job:
    """Records that SageMaker has created the attempt. Keeps a stop that was requested in the meantime."""
    if job.status.stop is not None:
        return replace(job, status=replace(job.status, updated_at=now))
    return job.moved_to(JobState.RUNNING, Reason(ReasonCode.RUNNING), now)


def record_selection(job: Job, instances: Demand, now: datetime) -> Job:
    """Records the instances that SageMaker selected from the job's preferences. Keeps a requested stop."""
    selected = Reason(ReasonCode.RUNNING, f"SageMaker selected {instances}")
    reason = selected if job.status.stop is None else job.status.reason
    return replace(job, status=replace(job.status, selected=instances, reason=reason, updated_at=now))


def preempt_for(job: Job, beneficiary: Job, reason: Reason, now: datetime, continues_on: Demand = NOTHING) -> Job:
    stop = Stop(StopCause.PREEMPTION, now, beneficiary.name, continues_on=continues_on)
    return _stop_by(job, stop, ActionKind.PREEMPTED, reason)


def grow(job: Job, held: Demand, reason: Reason, now: datetime) -> Job:
    """Stops the job so that it continues on more instances. Its current instances stay held for it."""
    return _stop_by(job, Stop(StopCause.GROWTH, now, "", continues_on=held), ActionKind.GREW, reason)


def evict(job: Job, reason: Reason, now: datetime) -> Job:
    """Stops the job because the budget was reduced or a spending limit is reached. The job then waits again."""
    # Users see a preemption that names the budget or the limit instead of a beneficiary.
    return _stop(job, StopCause.PREEMPTION, ActionKind.PREEMPTED, reason, now)


def stop_idle(job: Job, minutes: int, now: datetime) -> Job:
    """Stops the job permanently, since another attempt would leave its GPUs idle again."""
    reason = Reason(ReasonCode.IDLE_GPU, idle_for(minutes))
    return _stop(job, StopCause.IDLE, ActionKind.STOPPED_IDLE, reason, now, "idle_alarm")


def stop_underused(job: Job, percent: float, now: datetime) -> Job:
    """Stops the job permanently, since another attempt would use its GPUs just as little."""
    reason = Reason(ReasonCode.UNDERUSED, used_less_than(percent))
    return _stop(job, StopCause.UNDERUSED, ActionKind.STOPPED_UNDERUSED, reason, now, "idle_alarm")


def stop_nan_loss(job: Job, minutes: int, now: datetime) -> Job:
    """Stops the job permanently, since another attempt would continue from weights that are NaN."""
    reason = Reason(ReasonCode.NAN_LOSS, nan_for(minutes))
    return _stop(job, StopCause.NAN_LOSS, ActionKind.STOPPED_NAN_LOSS, reason, now, "idle_alarm")


def stop_hung(job: Job, minutes: int, now: datetime, *, retry: bool) -> Job:
    """Stops the job because its program hangs. With `retry`, the job then waits for another attempt."""
    consequence = "; it runs again once" if retry else ""
    reason = Reason(ReasonCode.HUNG, f"{hung_for(minutes)}{consequence}")
    cause = StopCause.HANG_RETRY if retry else StopCause.HANG
    return _stop(job, cause, ActionKind.STOPPED_HUNG, reason, now, "idle_alarm")


def ask_to_save(job: Job, notice: StopNotice, now: datetime) -> Job:
    """Adds to the reason for the stop: the program was asked to save first."""
    asked, deadline = (f"{moment.astimezone(UTC):%H:%M:%S}" for moment in (notice.asked_at, notice.deadline))
    before = job.status.reason
    text = f"{before.message}; asked to save at {asked}, stops at {deadline} UTC at the latest"
    return replace(job, status=replace(job.status, reason=Reason(before.code, text), updated_at=now))


def spare(job: Job, now: datetime) -> Job:
    """Withdraws a stop that a watch requested, because the program is in a new grace period."""
    job = job.with_action(ActionKind.SPARED, now, "the program restarted, so a new grace period began")
    return job.moved_to(JobState.RUNNING, Reason(ReasonCode.RUNNING), now)


def leave_spot(job: Job, reason: Reason, now: datetime) -> Job:
    return _stop(job, StopCause.SPOT, ActionKind.LEFT_SPOT, reason, now)


def switch_alternative(job: Job, reason: Reason, now: datetime) -> Job:
    """Stops an attempt that has no instances yet, because the job can start with another alternative."""
    return _stop(job, StopCause.REQUEUE, ActionKind.REQUEUED, reason, now, QUEUE)


def _stop(job: Job, cause: StopCause, kind: ActionKind, reason: Reason, now: datetime, asked_by: str = "") -> Job:
    return _stop_by(job, Stop(cause, asked_at=now, asked_by=asked_by), kind, reason)


def _stop_by(job: Job, stop: Stop, kind: ActionKind, reason: Reason) -> Job:
    now = stop.asked_at
    return job.with_action(kind, now, reason.message).moved_to(JobState.STOPPING, reason, now, stop)


def adopt(job: Job, number: int, now: datetime) -> Job:
    """Restores a live attempt that was missing from the records. A cancelled job stays cancelled."""
    job = job.with_action(ActionKind.ADOPTED, now, f"attempt {number} was live but missing from the records")
    attempts = max(job.status.attempts, number)
    job = replace(job, status=replace(job.status, attempts=attempts, selected=NOTHING))
    if job.was_cancelled:
        stop = job.status.stop or Stop(StopCause.CANCELLATION, asked_at=now, asked_by="unknown")
        return job.moved_to(JobState.STOPPING, job.status.reason, now, stop)
    return job.moved_to(JobState.RUNNING, Reason(ReasonCode.RUNNING), now)


def record_interruption(job: Job, now: datetime) -> Job:
    """Records that the running attempt has lost its spot instances.

    SageMaker itself continues it on other instances.
    """
    return job.with_action(ActionKind.INTERRUPTED, now, "SageMaker took its spot instances back")


def park(job: Job, reason: Reason, now: datetime) -> Job:
    return job.with_action(ActionKind.PARKED, now, reason.message).moved_to(JobState.PARKED, reason, now)


def retry_launch_later(job: Job, reason: Reason, now: datetime) -> Job:
    """Returns the job to the queue: SageMaker has no capacity now, and the attempt's name was not used."""
    unused = replace(job.status, attempts=job.status.attempts - 1)
    return _back_to_queue(replace(job, status=unused), reason, now)


def resolve_name_clash(job: Job, attempt: Attempt, now: datetime) -> Job:
    """Returns the job to the queue to try its next name: an unmanaged training job has the attempt's name."""
    return _back_to_queue(job, Reason(ReasonCode.NAME_CLASH, f"{attempt.name} belongs to another training job"), now)


def end_unstarted(job: Job, attempt: Attempt, state: JobState, reason: Reason, now: datetime) -> Job:
    """Ends an attempt that SageMaker will not create. The job moves to `state`, unless a user cancelled it."""
    if job.was_cancelled:
        state, reason = JobState.STOPPED, job.status.reason
    if state is JobState.PARKED:
        # SageMaker's text about its quota may quote the request, so the action does not repeat it.
        lacks_quota = reason.code is ReasonCode.CAPACITY
        message = "the account has no SageMaker quota for it" if lacks_quota else reason.message
        job = job.with_action(ActionKind.PARKED, now, message)
    ended = attempt.ended(Outcome.NEVER_STARTED, now, job.spec.choice, spot=job.is_on_spot)
    return _with_ended(job, replace(ended, failure_reason=reason.message)).moved_to(state, reason, now)


def end_attempt(job: Job, attempt: Attempt, observation: Observation, now: datetime) -> Job:
    """Ends an attempt that has a terminal status in SageMaker."""
    job = _with_progress(job, attempt, observation, now)
    before = job.status
    state, outcome, reason = _result(job, observation)
    is_selected = job.spec.has_preferences and observation.selected != NOTHING
    selected = observation.selected if is_selected else before.selected
    continues = reason.code is ReasonCode.RETRYING
    action = _NO_POOL if attempt.was_refused_a_pool(observation) else ""
    ended = replace(
        attempt.ended(outcome, observation.ended_at or now, job.spec.choice, spot=job.is_on_spot),
        training_started_at=observation.training_started_at,
        status=observation.status,
        secondary_status=observation.secondary_status,
        failure_reason=observation.failure_reason,
        interruptions=observation.interruptions,
        on_pool=attempt.started_on,
        billable_seconds=observation.billable_seconds,
        selected=selected,
        action=_CONTINUES if continues else action,
        beneficiary=before.stop.asked_by if before.stop and outcome is Outcome.PREEMPTED else "",
    )
    ended = replace(ended, interrupted_seconds=_interrupted_seconds(job, ended, observation))
    if state in _WITH_RESULTS:  # other attempts' results would only make the record larger
        ended = replace(ended, model_artifacts=observation.model_artifacts, metrics=observation.metrics)
    counted = replace(
        before,
        selected=selected,
        preemptions=before.preemptions + (outcome is Outcome.PREEMPTED),
        on_demand=before.on_demand or outcome is Outcome.LEFT_SPOT,
        hang_retries=before.hang_retries + (outcome is Outcome.HUNG and state is not JobState.STOPPED),
    )
    back = _with_ended(replace(job, status=counted), ended).moved_to(state, reason, now)
    back = back.with_action(ActionKind.RETRIED, now, _CONTINUES) if continues else back
    return back.with_choice_for(before.stop.continues_on) if before.stop and back.is_narrowed else back


def _interrupted_seconds(job: Job, ended: EndedAttempt, observation: Observation) -> int | None:
    """Returns the training that interruptions cost; None if an interruption on spot has an unknown cost."""
    if not ended.spot:
        return 0
    interval = inf if job.loses_all_work_of(ended.saved) else job.checkpoint_interval
    lost = interrupted_seconds(ended.trained_seconds, observation.stretches, interval)
    return None if lost is None else round(lost)


def _with_progress(job: Job, attempt: Attempt, observation: Observation, now: datetime) -> Job:
    """Adds the attempt's trials and time to a tuning job's progress, unless the job always starts over."""
    limits, stop = job.spec.tuning, job.status.stop
    if limits is None or not limits.continues:
        return job
    began, ended = observation.training_started_at or attempt.reserved_at, observation.ended_at or now
    progress = job.status.tuning_progress.after(
        attempt.name, observation.trials, stop.asked_at if stop else None, (ended - began).total_seconds()
    )
    return replace(job, status=replace(job.status, tuning_progress=progress))


def end_vanished(job: Job, attempt: Attempt, now: datetime) -> Job:
    """Ends a job whose attempt SageMaker no longer knows. A user deleted the attempt, so the job is not restarted."""
    ended = attempt.ended(Outcome.VANISHED, now, job.spec.choice, spot=job.is_on_spot)
    reason = Reason(ReasonCode.VANISHED, f"SageMaker no longer knows {attempt.name}")
    return _with_ended(job, replace(ended, selected=job.status.selected)).moved_to(JobState.STOPPED, reason, now)


def _with_ended(job: Job, ended: EndedAttempt) -> Job:
    recorded = replace(ended, recorded_in=job.version + 1)
    return replace(job, status=replace(job.status, history=(*job.status.history, recorded)))


def _result(job: Job, observation: Observation) -> tuple[JobState, Outcome, Reason]:
    if observation.status == "Completed":
        return JobState.COMPLETED, Outcome.COMPLETED, Reason(ReasonCode.COMPLETED)
    if job.was_cancelled:
        return JobState.STOPPED, Outcome.CANCELLED, job.status.reason
    if observation.secondary_status in {"MaxRuntimeExceeded", "MaxWaitTimeExceeded"}:
        message = f"SageMaker stopped it: {observation.secondary_status}"
        return JobState.STOPPED, Outcome.TIME_LIMIT, Reason(ReasonCode.TIME_LIMIT, message)
    if job.status.stop is not None and not _has_finished_tuning(job):
        # This applies even if the attempt failed: a stop may make its script exit with an error on SIGTERM.
        return _result_of_stop(job, job.status.stop)
    if observation.status == "Failed" and _has_earlier_values(job, observation):
        return _after_failed_trials(job)
    if observation.status == "Failed":
        return JobState.FAILED, Outcome.FAILED, Reason(ReasonCode.FAILED, observation.failure_reason)
    if job.status.stop is not None:
        return JobState.COMPLETED, Outcome.COMPLETED, Reason(ReasonCode.COMPLETED, "its trials or its time are used up")
    message = "stopped in SageMaker, not through the queue"
    return JobState.STOPPED, Outcome.STOPPED_OUTSIDE, Reason(ReasonCode.STOPPED_OUTSIDE, message)


def _has_finished_tuning(job: Job) -> bool:
    """Returns whether the stop came after the last trial, leaving nothing for another attempt to do."""
    limits = job.spec.tuning
    return limits is not None and not job.status.tuning_progress.leaves_something(limits)


def _has_earlier_values(job: Job, observation: Observation) -> bool:
    """Returns whether only earlier attempts have trials with a value.

    SageMaker does not count these trials when it fails an attempt because none of its trials succeeded.
    """
    trials = observation.trials
    return bool(trials) and not any(trial.has_value for trial in trials) and job.status.tuning_progress.has_value


def _after_failed_trials(job: Job) -> tuple[JobState, Outcome, Reason]:
    """Returns the result of an attempt without a successful trial. A single tuning job would have survived this.

    So the next attempt is no retry after a failure of some class. The trials and the parents that are left limit it,
    instead of the policy on retries.
    """
    limits, progress = job.spec.tuning, job.status.tuning_progress
    if limits is None or progress.uses_all_parents(limits) or not progress.leaves_something(limits):
        message = "its last trials failed; the results of its earlier attempts remain"
        return JobState.COMPLETED, Outcome.COMPLETED, Reason(ReasonCode.COMPLETED, message)
    message = f"all trials of the last attempt failed: it {_CONTINUES}"
    return waiting_state(job), Outcome.FAILED, Reason(ReasonCode.RETRYING, message)


def _result_of_stop(job: Job, stop: Stop) -> tuple[JobState, Outcome, Reason]:
    match stop.cause:
        case StopCause.REQUEUE | StopCause.GROWTH:
            return waiting_state(job), Outcome.REQUEUED, job.status.reason
        case StopCause.SPOT:
            return waiting_state(job), Outcome.LEFT_SPOT, job.status.reason
        case StopCause.IDLE:
            return JobState.STOPPED, Outcome.IDLE, job.status.reason
        case StopCause.UNDERUSED:
            return JobState.STOPPED, Outcome.UNDERUSED, job.status.reason
        case StopCause.NAN_LOSS:
            return JobState.STOPPED, Outcome.NAN_LOSS, job.status.reason
        case StopCause.HANG:
            return JobState.STOPPED, Outcome.HUNG, job.status.reason
        case StopCause.HANG_RETRY:
            return waiting_state(job), Outcome.HUNG, job.status.reason
    return JobState.PREEMPTED, Outcome.PREEMPTED, job.status.reason


def _back_to_queue(job: Job, reason: Reason, now: datetime) -> Job:
    if job.was_cancelled:
        return job.moved_to(JobState.STOPPED, job.status.reason, now)
    return job.moved_to(waiting_state(job), reason, now)


def waiting_state(job: Job) -> JobState:
    """Returns the state of a job that returns to the queue."""
    return JobState.PREEMPTED if job.status.preemptions else JobState.PENDING
