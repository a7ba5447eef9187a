"""Decides which changes to a job lead to a notice to its owner, and words the notices.

The function `history` sends the notices about these changes. Notices about idle GPUs, unmanaged jobs and spending
limits come from the functions that detect them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scheduler.core.history.change import WRITTEN_BY_CYCLE, Change, is_start
from scheduler.core.idle_gpus.hangs.hang_rule import HangRule
from scheduler.core.idle_gpus.idle_rule import IdleRule
from scheduler.core.idle_gpus.nan_losses.nan_rule import NanRule
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind, JobState, NotifyMoment
from scheduler.core.jobs.reason import PREEMPTIONS, ReasonCode, newest_are_nan, used_less_than


class NoticeKind(StrEnum):
    STARTED = "started"  # SageMaker has created an attempt
    COMPLETED = "completed"
    INTERRUPTED = "interrupted"  # spot instances were taken back, and SageMaker continues the attempt on others
    PREEMPTED = "preempted"
    RESUMED = "resumed"
    IDLE = "idle"
    UNDERUSED = "underused"
    HANG = "hang"
    NAN_LOSS = "nan_loss"
    STOPPED = "stopped"  # by the queue or in SageMaker, not cancelled by a user
    RETRIED = "retried"
    FAILED = "failed"
    PARKED = "parked"
    APPROVAL = "approval"  # it starts only after an operator has approved it
    RULE_VIOLATED = "rule_violated"
    EXPIRED = "expired"  # it had not started by the time that its owner set
    DEADLINE = "deadline"  # it will miss, or has missed, its deadline
    SPENDING_LIMIT = "spending_limit"
    DIGEST = "digest"  # once a day: all jobs of an owner


#: The kinds of notices that an owner can request with the option `notify`.
KINDS_AT: Mapping[NotifyMoment, frozenset[NoticeKind]] = {
    NotifyMoment.START: frozenset({NoticeKind.STARTED}),
    NotifyMoment.END: frozenset({NoticeKind.COMPLETED, NoticeKind.FAILED, NoticeKind.STOPPED}),
    NotifyMoment.PREEMPTION: frozenset({NoticeKind.PREEMPTED, NoticeKind.RESUMED, NoticeKind.INTERRUPTED}),
}


@dataclass(frozen=True, slots=True)
class Notice:
    kind: NoticeKind
    job: str  # empty if the notice is not about a single job
    owner: str
    state: str
    reason: str  # a sentence
    remedy: str  # what to do
    team: str = ""  # chosen by the job's user, or a spending limit's own; empty: the job owner's
    id: str = field(kw_only=True)  # the same if the notice is sent again
    is_chosen: bool = False  # the job's option `notify` asks for it


NAN_REMEDY = (
    "Try a lower learning rate, gradient clipping or bf16, and continue from a checkpoint before the first NaN."
)
UNDERUSED_REMEDY = "Try a larger batch, faster data loading or a smaller instance."


def notice_in(change: Change, job: Job) -> Notice | None:
    """Returns the notice about a change; None if the owner asked for the change or expects it.

    `job` is the job's record in the version that the change made.
    """
    actions = {action.kind for action in change.done}
    if job.needs_approval and ActionKind.PARKED in actions:
        return _approval_notice(job)  # also after a submission: its user knows, but the approvers do not
    if change.written_by != WRITTEN_BY_CYCLE:
        return None  # users' changes, and those about which other functions notify the owner
    if ActionKind.WARNED_DEADLINE in actions:
        return _deadline_notice(job)
    if job.status.state is JobState.PARKED and ActionKind.PARKED not in actions:
        return None  # the job was parked before
    # SageMaker's failure text may quote the request, so a notice only names the command that shows it.
    show, message = f"`sagequeue show {job.name}`", job.status.reason.message
    match job.status.state, job.status.reason.code:
        case (JobState.PENDING | JobState.PREEMPTED, ReasonCode.RETRYING):
            last = job.status.history[-1]
            # An attempt whose trials failed has no class. The reason then quotes no text of SageMaker.
            known = f"{last.name} failed ({last.failure_class}): {last.action}."
            reason = known if last.failure_class else _sentence(message)
            return _notice(NoticeKind.RETRIED, job, reason, f"No action is needed; {show} shows why it failed.")
        case (JobState.PENDING | JobState.PREEMPTED, ReasonCode.LEAVES_SPOT):
            return _notice(NoticeKind.RETRIED, job, message, "No action is needed.")
        case (JobState.PENDING | JobState.PREEMPTED, ReasonCode.HUNG):
            log = f"`sagequeue logs {job.name}`"
            remedy = f"No action is needed; {log} shows the last lines. A second hang ends the job."
            return _notice(NoticeKind.RETRIED, job, message, remedy)
        case (JobState.PREEMPTED, code) if code in PREEMPTIONS:
            return _notice(
                NoticeKind.PREEMPTED, job, message, "No action is needed: it continues when instances are free."
            )
        case (JobState.RUNNING, _):
            return _notice_while_running(change, job)
        case (JobState.PARKED, ReasonCode.RULE_VIOLATED):
            remedy = f"Submit a job that the rules allow, or get an exemption and run `sagequeue requeue {job.name}`."
            return _notice(NoticeKind.RULE_VIOLATED, job, message, remedy)
        case (JobState.PARKED, ReasonCode.CAPACITY):
            reason = "A SageMaker quota of this account is too small for it."
            return _notice(NoticeKind.PARKED, job, reason, f"{show} shows which quota; ask AWS to raise it.")
        case (JobState.PARKED, ReasonCode.DEPENDENCY_NEVER_SATISFIED):
            regardless = f", or run this job regardless: `sagequeue requeue {job.name}`"
            remedy = f"Requeue that job{'' if job.options.dependencies.models else regardless}."
            return _notice(NoticeKind.PARKED, job, message, remedy)
        case (JobState.PARKED, _):
            return _notice(NoticeKind.PARKED, job, message, "Fix the cause, then submit the same request again.")
        case (JobState.COMPLETED, _):
            return _notice(NoticeKind.COMPLETED, job, "The training job completed.", f"{show} shows its attempts.")
        case (JobState.FAILED, _):
            return _notice(NoticeKind.FAILED, job, "The training job failed.", f"{show} shows why.")
        case (JobState.STOPPED, ReasonCode.IDLE_GPU):
            log = f"`sagequeue logs {job.name}`"
            remedy = f"Check its log with {log}; the tag queue:idle-exempt=true permits idle GPUs."
            return _notice(NoticeKind.STOPPED, job, message, remedy)
        case (JobState.STOPPED, ReasonCode.UNDERUSED):
            return _notice(NoticeKind.STOPPED, job, message, UNDERUSED_REMEDY)
        case (JobState.STOPPED, ReasonCode.NAN_LOSS):
            return _notice(NoticeKind.STOPPED, job, message, NAN_REMEDY)
        case (JobState.STOPPED, ReasonCode.EXPIRED):
            return _notice(
                NoticeKind.EXPIRED, job, message, f"If you still need it, run `sagequeue requeue {job.name}`."
            )
        case (JobState.STOPPED, ReasonCode.HUNG):
            remedy = (
                f"`sagequeue logs {job.name}` shows the last lines; the tag queue:idle-exempt=true prevents the stop."
            )
            return _notice(NoticeKind.STOPPED, job, message, remedy)
        case (JobState.STOPPED, code) if code is not ReasonCode.CANCELLED:
            return _notice(NoticeKind.STOPPED, job, message, f"{show} shows more.")
    return None


def _notice_while_running(change: Change, job: Job) -> Notice | None:
    """Returns the notice about a start or an interruption; None for other changes to a running job."""
    actions = {action.kind for action in change.done}
    if ActionKind.INTERRUPTED in actions:
        from_where = "from its last checkpoint" if job.spec.checkpoint_uri else "from the beginning"
        remedy = f"No action is needed: SageMaker runs it again {from_where} when spot instances are free."
        return _notice(NoticeKind.INTERRUPTED, job, "SageMaker took its spot instances back.", remedy)
    if not is_start(change):
        return None
    if not job.status.preemptions or change.run is None:
        reason = f"SageMaker has created its attempt {job.status.attempts}."
        return _notice(
            NoticeKind.STARTED, job, reason, "No action is needed: it trains as soon as its instances are ready."
        )
    minutes = max(0, round((change.changed_at - change.run.ended_at).total_seconds() / 60))
    return _notice(
        NoticeKind.RESUMED, job, f"It runs again, {minutes} min after its last attempt ended.", "No action is needed."
    )


def idle_notice(job: Job, rule: IdleRule) -> Notice:
    consequence = f" It is stopped if they stay idle for {rule.minutes} more minutes." if rule.stops else ""
    reason = f"No GPU of any of its hosts was used for {rule.minutes} min.{consequence}"
    return _notice(NoticeKind.IDLE, job, reason, f"Stop it with `sagequeue cancel {job.name}` if it hangs.")


def underused_notice(job: Job, rule: IdleRule) -> Notice:
    consequence = f" It is stopped if this lasts {rule.minutes} more minutes." if rule.stops_underused else ""
    use = used_less_than(rule.minimum_utilisation)
    return _notice(NoticeKind.UNDERUSED, job, f"{_sentence(use)}{consequence}", UNDERUSED_REMEDY)


def _approval_notice(job: Job) -> Notice:
    longest = max(choice.spec.max_runtime for choice in job.each_choice)
    remedy = f"An operator can approve it: `sagequeue approve {job.name} --max-runtime {longest}`."
    if job.place is not None:
        remedy += f" For all jobs of its array: `sagequeue arrays approve {job.place.array} --max-runtime {longest}`."
    return _notice(NoticeKind.APPROVAL, job, _sentence(job.status.reason.message), remedy)


def _deadline_notice(job: Job) -> Notice:
    """Words the notice about a job that is expected to miss its deadline."""
    times, message = job.options.times, job.status.actions[-1].message
    deadline = f"Its deadline to {times.deadline_for}: {times.deadline:%Y-%m-%d %H:%M} UTC."
    reason = f"{_sentence(message)} {deadline}"
    remedy = f"The queue changes nothing. `sagequeue why {job.name}` shows what it waits for."
    return _notice(NoticeKind.DEADLINE, job, reason, remedy)


def hang_notice(job: Job, rule: HangRule) -> Notice:
    reason = f"Its program wrote no log line for {rule.minutes} min, and no metric shows that it works."
    return _notice(NoticeKind.HANG, job, reason, f"Stop it with `sagequeue cancel {job.name}` if it hangs.")


def _notice(kind: NoticeKind, job: Job, reason: str, remedy: str) -> Notice:
    """Returns a notice with a unique ID: a version of a job has at most one notice of each kind."""
    chosen = any(kind in KINDS_AT[moment] for moment in job.options.notify)
    identity = f"{job.name}/{job.version}/{kind}"
    state = job.status.state.value
    return Notice(kind, job.name, job.owner, state, reason, remedy, job.options.team, id=identity, is_chosen=chosen)


def nan_notice(job: Job, rule: NanRule) -> Notice:
    consequence = f" It is stopped if every loss is NaN for {rule.minutes} more minutes." if rule.stops else ""
    reason = f"{_sentence(newest_are_nan(rule.values))}{consequence}"
    return _notice(NoticeKind.NAN_LOSS, job, reason, NAN_REMEDY)


def _sentence(reason: str) -> str:
    return f"{reason[:1].upper()}{reason[1:]}."
