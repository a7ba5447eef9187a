"""How a cycle changes a job's record, one function for each arrow of the state diagram in docs/architecture.md.

What people ask for is in `wishes`.
"""

from datetime import datetime

from attrs import evolve

from scheduler.core.jobs.action import QUEUE, ActionKind
from scheduler.core.jobs.attempt import Attempt, EndedAttempt, Observation, Outcome
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job, JobState, Stop, StopCause
from scheduler.core.jobs.reason import Reason, ReasonCode

#: An infrastructure failure leaves no pool either, so only of what completed (aws-facts 2.52, 2.53).
_NO_POOL = "no warm pool appeared: have the account's quota for training warm pool usage of this type raised"


def launch(job: Job, reason: Reason, now: datetime) -> Job:
    return evolve(
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
    """SageMaker has the attempt. A stop that was asked for meanwhile stands."""
    if job.stop is not None:
        return evolve(job, updated_at=now)
    return evolve(job, state=JobState.RUNNING, reason=Reason(ReasonCode.RUNNING, ""), updated_at=now)


def record_selection(job: Job, instances: Demand, now: datetime) -> Job:
    """SageMaker has selected these of the job's preferences. A stop that was asked for stands."""
    reason = Reason(ReasonCode.RUNNING, f"SageMaker selected {instances}") if job.stop is None else job.reason
    return evolve(job, selected=instances, reason=reason, updated_at=now)


def preempt_for(job: Job, beneficiary: Job, reason: Reason, now: datetime) -> Job:
    stop = Stop(StopCause.PREEMPTION, asked_at=now, asked_by=beneficiary.name)
    job = job.with_action(ActionKind.PREEMPTED, now, reason.message)
    return evolve(job, state=JobState.STOPPING, stop=stop, reason=reason, updated_at=now)


def evict(job: Job, reason: Reason, now: datetime) -> Job:
    """It makes room for nobody in particular: the budget was shrunk. It comes back like any preempted job."""
    stop = Stop(StopCause.PREEMPTION, asked_at=now, asked_by="")
    job = job.with_action(ActionKind.PREEMPTED, now, reason.message)
    return evolve(job, state=JobState.STOPPING, stop=stop, reason=reason, updated_at=now)


def stop_idle(job: Job, minutes: int, now: datetime) -> Job:
    """Not started again: it would sit idle again."""
    reason = Reason(ReasonCode.IDLE_GPU, f"no GPU of any of its hosts was used for {minutes} min")
    stop = Stop(StopCause.IDLE, asked_at=now, asked_by="idle_alarm")
    job = job.with_action(ActionKind.STOPPED_IDLE, now, reason.message)
    return evolve(job, state=JobState.STOPPING, stop=stop, reason=reason, updated_at=now)


def spare(job: Job, now: datetime) -> Job:
    """It was to be stopped for idle GPUs, but is in a new time of grace."""
    job = job.with_action(ActionKind.SPARED, now, "its program had started anew: it gets its time of grace")
    return evolve(job, state=JobState.RUNNING, stop=None, reason=Reason(ReasonCode.RUNNING, ""), updated_at=now)


def leave_spot(job: Job, reason: Reason, now: datetime) -> Job:
    stop = Stop(StopCause.SPOT, asked_at=now, asked_by="")
    job = job.with_action(ActionKind.LEFT_SPOT, now, reason.message)
    return evolve(job, state=JobState.STOPPING, stop=stop, reason=reason, updated_at=now)


def switch_alternative(job: Job, reason: Reason, now: datetime) -> Job:
    """Its instances do not come, and another choice is open: it starts anew."""
    stop = Stop(StopCause.REQUEUE, asked_at=now, asked_by=QUEUE)
    job = job.with_action(ActionKind.REQUEUED, now, reason.message)
    return evolve(job, state=JobState.STOPPING, stop=stop, reason=reason, updated_at=now)


def adopt(job: Job, number: int, now: datetime) -> Job:
    """An attempt that the records had lost is live. A cancel stands, also one that was carried out already."""
    job = job.with_action(ActionKind.ADOPTED, now, f"attempt {number} was live, and lost to the records")
    job = evolve(job, attempts=max(job.attempts, number), selected=NOTHING, updated_at=now)
    if job.was_cancelled:
        stop = job.stop or Stop(StopCause.CANCELLATION, asked_at=now, asked_by="unknown")
        return evolve(job, state=JobState.STOPPING, stop=stop)
    return evolve(job, state=JobState.RUNNING, stop=None, reason=Reason(ReasonCode.RUNNING, ""))


def park(job: Job, reason: Reason, now: datetime) -> Job:
    job = job.with_action(ActionKind.PARKED, now, reason.message)
    return evolve(job, state=JobState.PARKED, reason=reason, updated_at=now)


def retry_launch_later(job: Job, reason: Reason, now: datetime) -> Job:
    """SageMaker has no room at the moment: back to the queue, the attempt's name was not used."""
    return _back_to_queue(evolve(job, attempts=job.attempts - 1), reason, now)


def resolve_name_clash(job: Job, attempt: Attempt, now: datetime) -> Job:
    """A training job that is not ours has the attempt's name: back to the queue, for the next name."""
    return _back_to_queue(job, Reason(ReasonCode.NAME_CLASH, f"{attempt.name} belongs to another training job"), now)


def end_unstarted(job: Job, attempt: Attempt, state: JobState, reason: Reason, now: datetime) -> Job:
    """SageMaker will not create the attempt. `state` is where the job goes, unless a user cancelled it."""
    if job.was_cancelled:
        state, reason = JobState.STOPPED, job.reason
    if state is JobState.PARKED:
        job = job.with_action(ActionKind.PARKED, now, "SageMaker has no quota for it")
    past = EndedAttempt(
        name=attempt.name,
        number=attempt.number,
        outcome=Outcome.NEVER_STARTED,
        reserved_at=attempt.reserved_at,
        ended_at=now,
        failure_reason=reason.message,
        choice=job.choice,
    )
    return evolve(job, state=state, reason=reason, stop=None, history=(*job.history, past), updated_at=now)


def end_attempt(job: Job, attempt: Attempt, observation: Observation, now: datetime) -> Job:
    """The attempt is terminal in SageMaker: what that means for the job."""
    state, outcome, reason = _verdict(job, observation)
    selected = observation.selected if job.has_preferences and observation.selected != NOTHING else job.selected
    past = EndedAttempt(
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
    return evolve(
        job,
        state=state,
        reason=reason,
        stop=None,
        selected=selected,
        history=(*job.history, past),
        preemptions=job.preemptions + (outcome is Outcome.PREEMPTED),
        on_demand=job.on_demand or outcome is Outcome.LEFT_SPOT,
        updated_at=now,
    )


def end_vanished(job: Job, attempt: Attempt, now: datetime) -> Job:
    """SageMaker knew the attempt and no longer does: somebody deleted it, so it is not started again."""
    message = f"{attempt.name} is not known to SageMaker any more"
    past = EndedAttempt(
        attempt.name,
        attempt.number,
        Outcome.VANISHED,
        attempt.reserved_at,
        ended_at=now,
        choice=job.choice,
        selected=job.selected,
    )
    reason = Reason(ReasonCode.VANISHED, message)
    return evolve(job, state=JobState.STOPPED, reason=reason, stop=None, history=(*job.history, past), updated_at=now)


def _verdict(job: Job, observation: Observation) -> tuple[JobState, Outcome, Reason]:
    if observation.status == "Completed":
        return JobState.COMPLETED, Outcome.COMPLETED, Reason(ReasonCode.COMPLETED, "")
    if job.was_cancelled:
        return JobState.STOPPED, Outcome.CANCELLED, job.reason
    if observation.secondary_status in {"MaxRuntimeExceeded", "MaxWaitTimeExceeded"}:
        message = f"SageMaker stopped it: {observation.secondary_status}"
        return JobState.STOPPED, Outcome.TIME_LIMIT, Reason(ReasonCode.TIME_LIMIT, message)
    if job.stop is not None:
        # Also when it failed: a script may exit with an error on SIGTERM, and that is the stop's doing.
        return _verdict_of_stop(job, job.stop)
    if observation.status == "Failed":
        return JobState.FAILED, Outcome.FAILED, Reason(ReasonCode.FAILED, observation.failure_reason)
    message = "stopped in SageMaker, not through the queue"
    return JobState.STOPPED, Outcome.STOPPED_OUTSIDE, Reason(ReasonCode.STOPPED_OUTSIDE, message)


def _verdict_of_stop(job: Job, stop: Stop) -> tuple[JobState, Outcome, Reason]:
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
        return evolve(job, state=JobState.STOPPED, reason=job.reason, stop=None, updated_at=now)
    return evolve(job, state=waiting_state(job), reason=reason, stop=None, updated_at=now)


def waiting_state(job: Job) -> JobState:
    """Where a job waits that goes back to the queue."""
    return JobState.PREEMPTED if job.preemptions else JobState.PENDING
