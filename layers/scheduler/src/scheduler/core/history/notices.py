"""Which change of a job its owner is told of, and in which words.

SageMaker's own text of a failure may quote the request, so a notice only says where it is to be read.
"""

from scheduler.core.history.notice import Notice, NoticeKind
from scheduler.core.idle_gpus.idle_rule import IdleRule
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.reason import ReasonCode

_PREEMPTED = {ReasonCode.OUTRANKED, ReasonCode.OVER_BUDGET, ReasonCode.RECLAIMED}


def notice_of(job: Job) -> Notice | None:
    """What there is to say of the state that a job has just come to; None for what its owner asked for or expects."""
    match job.state:
        case JobState.PENDING | JobState.PREEMPTED if job.reason.code is ReasonCode.RETRYING:
            last = job.history[-1]
            reason = f"{last.name} failed ({last.failure_class}): {last.action}."
            return _notice(NoticeKind.RETRIED, job, reason, f"Nothing; `sagequeue show {job.name}` says why it failed.")
        case JobState.PENDING | JobState.PREEMPTED if job.reason.code is ReasonCode.LEAVES_SPOT:
            return _notice(NoticeKind.RETRIED, job, job.reason.message, "Nothing.")
        case JobState.PREEMPTED if job.reason.code in _PREEMPTED:
            return _notice(NoticeKind.PREEMPTED, job, job.reason.message, "Nothing: it goes on when there is room.")
        case JobState.RUNNING if job.preemptions:
            return _notice(NoticeKind.RESUMED, job, "It runs again.", "Nothing.")
        case JobState.PARKED if job.reason.code is ReasonCode.RULE_VIOLATED:
            remedy = f"Submit what the rules allow, or ask for an exemption and `sagequeue requeue {job.name}`."
            return _notice(NoticeKind.RULE_VIOLATED, job, job.reason.message, remedy)
        case JobState.PARKED if job.reason.code is ReasonCode.CAPACITY:
            reason = "A quota of SageMaker's in this account is too small for it."
            return _notice(NoticeKind.PARKED, job, reason, f"`sagequeue show {job.name}` says which; have it raised.")
        case JobState.PARKED:
            return _notice(NoticeKind.PARKED, job, job.reason.message, "Mend that, then submit the same request again.")
        case JobState.FAILED:
            return _notice(NoticeKind.FAILED, job, "The training job failed.", f"`sagequeue show {job.name}` says why.")
        case JobState.STOPPED if job.reason.code is ReasonCode.IDLE_GPU:
            remedy = f"Look at its log with `sagequeue logs {job.name}`; the tag queue:idle-exempt=true allows it."
            return _notice(NoticeKind.STOPPED, job, job.reason.message, remedy)
        case JobState.STOPPED if job.reason.code is not ReasonCode.CANCELLED:
            return _notice(NoticeKind.STOPPED, job, job.reason.message, f"`sagequeue show {job.name}` says more.")
    return None


def idle(job: Job, rule: IdleRule) -> Notice:
    consequence = f" It is stopped if that stays so for {rule.minutes} more minutes." if rule.stops else ""
    reason = f"No GPU of any of its hosts was used for {rule.minutes} min.{consequence}"
    return _notice(NoticeKind.IDLE, job, reason, f"Stop it with `sagequeue cancel {job.name}` if it hangs.")


def underused(job: Job, rule: IdleRule) -> Notice:
    reason = f"Its GPUs are used less than {rule.minimum_utilisation:g} % on average."
    return _notice(
        NoticeKind.UNDERUSED, job, reason, "A larger batch, faster data loading or a smaller instance helps."
    )


def _notice(kind: NoticeKind, job: Job, reason: str, remedy: str) -> Notice:
    return Notice(kind, job.name, job.owner, job.state.value, reason, remedy)
