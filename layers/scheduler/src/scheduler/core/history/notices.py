"""Decides which changes of a job its owner is notified of, and words the notices."""

from dataclasses import dataclass
from enum import StrEnum

from scheduler.core.idle_gpus.hangs.hang_rule import HangRule
from scheduler.core.idle_gpus.idle_rule import IdleRule
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode


class NoticeKind(StrEnum):
    PREEMPTED = "preempted"
    RESUMED = "resumed"
    IDLE = "idle"
    UNDERUSED = "underused"
    HANG = "hang"
    STOPPED = "stopped"  # by the queue or in SageMaker, not cancelled by a user
    RETRIED = "retried"
    FAILED = "failed"
    PARKED = "parked"
    RULE_VIOLATED = "rule_violated"
    SPENDING_LIMIT = "spending_limit"


@dataclass(frozen=True, slots=True)
class Notice:
    kind: NoticeKind
    job: str  # empty if the notice is not about a single job
    owner: str
    state: str
    reason: str  # a sentence
    remedy: str  # what to do
    team: str = ""  # empty: the owner's team


def notice_of(job: Job) -> Notice | None:
    """Returns the notice for the state that a job has just reached; None if the owner asked for it or expects it."""
    # SageMaker's failure text may quote the request, so a notice only names the command that shows it.
    show, message = f"`sagequeue show {job.name}`", job.status.reason.message
    match job.status.state, job.status.reason.code:
        case (JobState.PENDING | JobState.PREEMPTED, ReasonCode.RETRYING):
            last = job.status.history[-1]
            reason = f"{last.name} failed ({last.failure_class}): {last.action}."
            return _notice(NoticeKind.RETRIED, job, reason, f"Nothing; {show} shows why it failed.")
        case (JobState.PENDING | JobState.PREEMPTED, ReasonCode.LEAVES_SPOT):
            return _notice(NoticeKind.RETRIED, job, message, "Nothing.")
        case (JobState.PENDING | JobState.PREEMPTED, ReasonCode.HUNG):
            remedy = f"Nothing; `sagequeue logs {job.name}` shows the last lines. A second hang ends the job."
            return _notice(NoticeKind.RETRIED, job, message, remedy)
        case (JobState.PREEMPTED, ReasonCode.OUTRANKED | ReasonCode.OVER_BUDGET | ReasonCode.RECLAIMED):
            return _notice(NoticeKind.PREEMPTED, job, message, "Nothing: it continues when instances are free.")
        case (JobState.RUNNING, _) if job.status.preemptions:
            return _notice(NoticeKind.RESUMED, job, "It runs again.", "Nothing.")
        case (JobState.PARKED, ReasonCode.RULE_VIOLATED):
            remedy = f"Submit a job that the rules allow, or get an exemption and run `sagequeue requeue {job.name}`."
            return _notice(NoticeKind.RULE_VIOLATED, job, message, remedy)
        case (JobState.PARKED, ReasonCode.CAPACITY):
            reason = "A SageMaker quota of this account is too small for it."
            return _notice(NoticeKind.PARKED, job, reason, f"{show} shows which quota; ask AWS to raise it.")
        case (JobState.PARKED, _):
            return _notice(NoticeKind.PARKED, job, message, "Fix the cause, then submit the same request again.")
        case (JobState.FAILED, _):
            return _notice(NoticeKind.FAILED, job, "The training job failed.", f"{show} shows why.")
        case (JobState.STOPPED, ReasonCode.IDLE_GPU):
            log = f"`sagequeue logs {job.name}`"
            remedy = f"Check its log with {log}; the tag queue:idle-exempt=true permits idle GPUs."
            return _notice(NoticeKind.STOPPED, job, message, remedy)
        case (JobState.STOPPED, ReasonCode.HUNG):
            remedy = (
                f"`sagequeue logs {job.name}` shows the last lines; the tag queue:idle-exempt=true prevents the stop."
            )
            return _notice(NoticeKind.STOPPED, job, message, remedy)
        case (JobState.STOPPED, code) if code is not ReasonCode.CANCELLED:
            return _notice(NoticeKind.STOPPED, job, message, f"{show} shows more.")
    return None


def idle_notice(job: Job, rule: IdleRule) -> Notice:
    consequence = f" It is stopped if they stay idle for {rule.minutes} more minutes." if rule.stops else ""
    reason = f"No GPU of any of its hosts was used for {rule.minutes} min.{consequence}"
    return _notice(NoticeKind.IDLE, job, reason, f"Stop it with `sagequeue cancel {job.name}` if it hangs.")


def underused_notice(job: Job, rule: IdleRule) -> Notice:
    reason = f"Its GPUs are used less than {rule.minimum_utilisation:g} % on average."
    return _notice(NoticeKind.UNDERUSED, job, reason, "Try a larger batch, faster data loading or a smaller instance.")


def hang_notice(job: Job, rule: HangRule) -> Notice:
    reason = f"Its program wrote no log line for {rule.minutes} min, and no metric shows that it works."
    return _notice(NoticeKind.HANG, job, reason, f"Stop it with `sagequeue cancel {job.name}` if it hangs.")


def _notice(kind: NoticeKind, job: Job, reason: str, remedy: str) -> Notice:
    return Notice(kind, job.name, job.owner, job.status.state.value, reason, remedy)
