"""The changes that a cycle makes to a job's state. docs/records.md has the diagram of all states.

Each returns the changed job. `user_actions` has the changes that users and operators ask for.
"""

from dataclasses import replace
from datetime import datetime

from scheduler.core.jobs.action import QUEUE, ActionKind
from scheduler.core.jobs.attempt import Attempt, EndedAttempt, Observation, Outcome
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job, JobState, Stop, StopCause
from scheduler.core.jobs.reason import Reason, ReasonCode

#: Only for attempts that completed: an infrastructure failure leaves no pool either (aws-facts 2.52, 2.53).
_NO_POOL = "no warm pool appeared: ask AWS to raise the quota for training warm pool usage of this type"


def launch(job: Job, reason: Reason, now: datetime) -> Job:
    return replace(
        job,
        state=JobState.LAUNCHING,
        attempts=job.attempts + 1,
        reason=reason,
        selected=NOTHING,
        idle_warned_at=None,
        underused_warned_at=None,
        updated_at=now,
    )


def confirm_running(job: Job, now: datetime) -> Job:
    """Records that SageMaker has the attempt. A stop that was requested meanwhile is kept."""
    if job.stop is not None:
        return replace(job, updated_at=now)
    return replace(job, state=JobState.RUNNING, reason=Reason(ReasonCode.RUNNING, ""), updated_at=now)


def record_selection(job: Job, instances: Demand, now: datetime) -> Job:
    """Records the instances that SageMaker selected from the job's preferences. A requested stop is kept."""
    reason = Reason(ReasonCode.RUNNING, f"SageMaker selected {instances}") if job.stop is None else job.reason
    return replace(job, selected=instances, reason=reason, updated_at=now)


def preempt_for(job: Job, beneficiary: Job, reason: Reason, now: datetime) -> Job:
    stop = Stop(StopCause.PREEMPTION, asked_at=now, asked_by=beneficiary.name)
    job = job.with_action(ActionKind.PREEMPTED, now, reason.message)
    return replace(job, state=JobState.STOPPING, stop=stop, reason=reason, updated_at=now)


def evict(job: Job, reason: Reason, now: datetime) -> Job:
    """Stops the job because the budget was reduced or a spending limit is reached. Then it waits again.

    Users see a preemption, which names the budget or the limit in place of a beneficiary.
    """
    stop = Stop(StopCause.PREEMPTION, asked_at=now, asked_by="")
    job = job.with_action(ActionKind.PREEMPTED, now, reason.message)
    return replace(job, state=JobState.STOPPING, stop=stop, reason=reason, updated_at=now)


def stop_idle(job: Job, minutes: int, now: datetime) -> Job:
    """Stops the job for good: its GPUs would be idle again."""
    reason = Reason(ReasonCode.IDLE_GPU, f"no GPU of any of its hosts was used for {minutes} min")
    stop = Stop(StopCause.IDLE, asked_at=now, asked_by="idle_alarm")
    job = job.with_action(ActionKind.STOPPED_IDLE, now, reason.message)
    return replace(job, state=JobState.STOPPING, stop=stop, reason=reason, updated_at=now)


def spare(job: Job, now: datetime) -> Job:
    """Withdraws a stop for idle GPUs, because the program is in a new grace period."""
    job = job.with_action(ActionKind.SPARED, now, "the program restarted, so a new grace period began")
    return replace(job, state=JobState.RUNNING, stop=None, reason=Reason(ReasonCode.RUNNING, ""), updated_at=now)


def leave_spot(job: Job, reason: Reason, now: datetime) -> Job:
    stop = Stop(StopCause.SPOT, asked_at=now, asked_by="")
    job = job.with_action(ActionKind.LEFT_SPOT, now, reason.message)
    return replace(job, state=JobState.STOPPING, stop=stop, reason=reason, updated_at=now)


def switch_alternative(job: Job, reason: Reason, now: datetime) -> Job:
    """Stops the attempt, whose instances have not arrived, because the job can start on another alternative."""
    stop = Stop(StopCause.REQUEUE, asked_at=now, asked_by=QUEUE)
    job = job.with_action(ActionKind.REQUEUED, now, reason.message)
    return replace(job, state=JobState.STOPPING, stop=stop, reason=reason, updated_at=now)


def adopt(job: Job, number: int, now: datetime) -> Job:
    """Takes back a live attempt that was missing from the records. A cancelled job stays cancelled."""
    job = job.with_action(ActionKind.ADOPTED, now, f"attempt {number} was live but missing from the records")
    job = replace(job, attempts=max(job.attempts, number), selected=NOTHING, updated_at=now)
    if job.was_cancelled:
        stop = job.stop or Stop(StopCause.CANCELLATION, asked_at=now, asked_by="unknown")
        return replace(job, state=JobState.STOPPING, stop=stop)
    return replace(job, state=JobState.RUNNING, stop=None, reason=Reason(ReasonCode.RUNNING, ""))


def park(job: Job, reason: Reason, now: datetime) -> Job:
    job = job.with_action(ActionKind.PARKED, now, reason.message)
    return replace(job, state=JobState.PARKED, reason=reason, updated_at=now)


def retry_launch_later(job: Job, reason: Reason, now: datetime) -> Job:
    """Returns the job to the queue: SageMaker has no capacity now, and the attempt's name was not used."""
    return _back_to_queue(replace(job, attempts=job.attempts - 1), reason, now)


def resolve_name_clash(job: Job, attempt: Attempt, now: datetime) -> Job:
    """Returns the job to the queue for its next name: a training job outside the queue has the attempt's name."""
    return _back_to_queue(job, Reason(ReasonCode.NAME_CLASH, f"{attempt.name} belongs to another training job"), now)


def end_unstarted(job: Job, attempt: Attempt, state: JobState, reason: Reason, now: datetime) -> Job:
    """Ends an attempt that SageMaker will not create. The job gets `state`, unless a user cancelled it."""
    if job.was_cancelled:
        state, reason = JobState.STOPPED, job.reason
    if state is JobState.PARKED:
        job = job.with_action(ActionKind.PARKED, now, "the account has no SageMaker quota for it")
    ended = EndedAttempt(
        name=attempt.name,
        number=attempt.number,
        outcome=Outcome.NEVER_STARTED,
        reserved_at=attempt.reserved_at,
        ended_at=now,
        failure_reason=reason.message,
        choice=job.choice,
    )
    return replace(job, state=state, reason=reason, stop=None, history=(*job.history, ended), updated_at=now)


def end_attempt(job: Job, attempt: Attempt, observation: Observation, now: datetime) -> Job:
    """Ends an attempt that is terminal in SageMaker."""
    state, outcome, reason = _result(job, observation)
    selected = observation.selected if job.has_preferences and observation.selected != NOTHING else job.selected
    ended = EndedAttempt(
        name=attempt.name,
        number=attempt.number,
        outcome=outcome,
        reserved_at=attempt.reserved_at,
        ended_at=observation.ended_at or now,
        training_started_at=observation.training_started_at,
        status=observation.status,
        secondary_status=observation.secondary_status,
        failure_reason=observation.failure_reason,
        interruptions=observation.interruptions,
        on_pool=attempt.started_on,
        billable_seconds=observation.billable_seconds,
        selected=selected,
        action=_NO_POOL if attempt.was_refused_a_pool(observation) else "",
        beneficiary=job.stop.asked_by if job.stop and outcome is Outcome.PREEMPTED else "",
        choice=job.choice,
    )
    return replace(
        job,
        state=state,
        reason=reason,
        stop=None,
        selected=selected,
        history=(*job.history, ended),
        preemptions=job.preemptions + (outcome is Outcome.PREEMPTED),
        on_demand=job.on_demand or outcome is Outcome.LEFT_SPOT,
        updated_at=now,
    )


def end_vanished(job: Job, attempt: Attempt, now: datetime) -> Job:
    """Ends a job whose attempt SageMaker no longer knows. A user deleted the attempt, so the job is not restarted."""
    message = f"SageMaker no longer knows {attempt.name}"
    ended = EndedAttempt(
        attempt.name,
        attempt.number,
        Outcome.VANISHED,
        attempt.reserved_at,
        ended_at=now,
        choice=job.choice,
        selected=job.selected,
    )
    reason = Reason(ReasonCode.VANISHED, message)
    return replace(job, state=JobState.STOPPED, reason=reason, stop=None, history=(*job.history, ended), updated_at=now)


def _result(job: Job, observation: Observation) -> tuple[JobState, Outcome, Reason]:
    if observation.status == "Completed":
        return JobState.COMPLETED, Outcome.COMPLETED, Reason(ReasonCode.COMPLETED, "")
    if job.was_cancelled:
        return JobState.STOPPED, Outcome.CANCELLED, job.reason
    if observation.secondary_status in {"MaxRuntimeExceeded", "MaxWaitTimeExceeded"}:
        message = f"SageMaker stopped it: {observation.secondary_status}"
        return JobState.STOPPED, Outcome.TIME_LIMIT, Reason(ReasonCode.TIME_LIMIT, message)
    if job.stop is not None:
        # Also if it failed: the stop may make a script exit with an error on SIGTERM.
        return _result_of_stop(job, job.stop)
    if observation.status == "Failed":
        return JobState.FAILED, Outcome.FAILED, Reason(ReasonCode.FAILED, observation.failure_reason)
    message = "stopped in SageMaker, not through the queue"
    return JobState.STOPPED, Outcome.STOPPED_OUTSIDE, Reason(ReasonCode.STOPPED_OUTSIDE, message)


def _result_of_stop(job: Job, stop: Stop) -> tuple[JobState, Outcome, Reason]:
    match stop.cause:
        case StopCause.REQUEUE:
            return waiting_state(job), Outcome.REQUEUED, job.reason
        case StopCause.SPOT:
            return waiting_state(job), Outcome.LEFT_SPOT, job.reason
        case StopCause.IDLE:
            return JobState.STOPPED, Outcome.IDLE, job.reason
    return JobState.PREEMPTED, Outcome.PREEMPTED, job.reason


def _back_to_queue(job: Job, reason: Reason, now: datetime) -> Job:
    if job.was_cancelled:
        return replace(job, state=JobState.STOPPED, reason=job.reason, stop=None, updated_at=now)
    return replace(job, state=waiting_state(job), reason=reason, stop=None, updated_at=now)


def waiting_state(job: Job) -> JobState:
    """Returns the state of a job that returns to the queue."""
    return JobState.PREEMPTED if job.preemptions else JobState.PENDING
