"""Defines the reason for a job's state: one value for the log, the API, the command line and the tests."""

from dataclasses import dataclass
from enum import StrEnum

#: Maximum bytes in a text in a job's record, equal to the maximum characters in a FailureReason (aws-facts 2.28).
LONGEST_TEXT = 1024


class ReasonCode(StrEnum):
    """Lists the machine-readable reasons. Clients may branch on these codes, but never on the message."""

    SUBMITTED = "submitted"  # accepted; no cycle has planned it yet
    HELD = "held"  # waits until it is released
    FITS = "fits"  # the budget has enough free instances: launched now
    WAITS_FOR_BUDGET = "waits_for_budget"  # jobs that it cannot preempt hold the budget
    WAITS_TO_PREEMPT = "waits_to_preempt"  # it can preempt jobs of lower priority, but not yet
    WAITS_FOR_STOPPING = "waits_for_stopping"  # stopping jobs will release enough budget
    WAITS_FOR_PREEMPTION = "waits_for_preemption"  # jobs of lower priority are being stopped for it
    WAITS_FOR_RECONCILIATION = "waits_for_reconciliation"  # the instances held outside the queue are unknown
    #: It could neither end nor be preempted before the budget is reduced, or it needs a larger budget.
    WAITS_FOR_CALENDAR = "waits_for_calendar"
    WAITS_BEHIND = "waits_behind"  # it would delay a job ahead of it that waits for the same instance type
    SPENDING_LIMIT = "spending_limit"  # this month's limit is reached, or the amount spent is unknown
    TEAM_CEILING = "team_ceiling"  # its team's jobs hold as many instances as they may
    RESERVED_FOR_TEAM = "reserved_for_team"  # the free instances are reserves that other teams do not lend
    EXCEEDS_SHARE = "exceeds_share"  # it needs more than its team may ever hold
    MAY_NOT_BORROW = "may_not_borrow"  # it is a never-preempt job, and the instances belong to other teams' quotas
    OWNER_CAP = "owner_cap"  # its owner runs as many jobs as allowed
    INTERACTIVE_CAP = "interactive_cap"  # interactive jobs hold as many instances as they may
    ARRAY_LIMIT = "array_limit"  # as many children of its array run as the array allows
    WAITS_FOR_CAPACITY = "waits_for_capacity"  # SageMaker recently had no such instances; the next try is not due
    WAITS_FOR_CHECKPOINT_PREFIX = "waits_for_checkpoint_prefix"  # a live job writes to the same S3 prefix
    WAITS_FOR_TIME = "waits_for_time"  # its user set an earliest start
    WAITS_FOR_JOB = "waits_for_job"  # its user lets it wait for another job, which has not ended
    DEPENDENCY_NEVER_SATISFIED = "dependency_never_satisfied"  # a job that it waited for has not ended as required
    RULE_VIOLATED = "rule_violated"  # it breaks an operator's rule
    NEEDS_APPROVAL = "needs_approval"  # a rule lets it start only after an operator has approved it
    NOT_PERMITTED = "not_permitted"  # since it was submitted, operators have revoked its owner's permission
    RETRYING = "retrying"  # an attempt failed, but a new attempt may succeed
    BACKING_OFF = "backing_off"  # an attempt failed, and the next one is not due yet
    LEAVES_SPOT = "leaves_spot"  # it continues on on-demand instances
    EXCEEDS_BUDGET = "exceeds_budget"  # it needs more than the whole budget
    OUTRANKED = "outranked"  # preempted for a job of higher priority
    OVER_BUDGET = "over_budget"  # stopped: the running jobs exceed a reduced budget, or a spending limit is reached
    RECLAIMED = "reclaimed"  # preempted for a team below its quota
    NARROWED = "narrowed"  # preempted for one of these reasons; it continues on fewer instances
    GROWING = "growing"  # an elastic job was stopped, and starts again on more instances
    RUNNING = "running"
    CREATE_REFUSED = "create_refused"  # SageMaker refused the request permanently
    CAPACITY = "capacity"  # SageMaker had no instances: the job will be retried
    NAME_CLASH = "name_clash"  # another training job has the attempt's name
    CANCELLED = "cancelled"  # cancelled by a user or an operator
    EXPIRED = "expired"  # it had not started by the time that its user set
    REQUEUED = "requeued"  # a user or an operator requested another attempt
    STOPPED_OUTSIDE = "stopped_outside"  # stopped in SageMaker, not through the queue
    IDLE_GPU = "idle_gpu"  # stopped because its GPUs were idle
    UNDERUSED = "underused"  # stopped because its GPUs were hardly used
    NAN_LOSS = "nan_loss"  # stopped because its loss was NaN
    HUNG = "hung"  # stopped because its program hung: the job ended, or runs again once
    TIME_LIMIT = "time_limit"  # SageMaker stopped it at MaxRuntime or MaxWaitTime
    COMPLETED = "completed"
    FAILED = "failed"
    UNREADABLE_RECORD = "unreadable_record"  # its item in the table is broken, or written by a newer version
    UNREADABLE_REQUEST = "unreadable_request"  # the item or object that holds its request is missing or broken
    JOB_ERROR = "job_error"  # an error specific to this job: its record is too large, or its data is unusable
    VANISHED = "vanished"  # SageMaker no longer knows the attempt: it was deleted


#: Reasons for preempting a job. The job keeps its reason while it waits, until another change replaces it.
PREEMPTIONS = frozenset({ReasonCode.OUTRANKED, ReasonCode.RECLAIMED, ReasonCode.NARROWED, ReasonCode.OVER_BUDGET})


#: Reasons that waiting jobs have while a plan keeps instances for them.
KEEPS_INSTANCES = frozenset(
    {
        ReasonCode.WAITS_FOR_BUDGET,
        ReasonCode.WAITS_TO_PREEMPT,
        ReasonCode.WAITS_FOR_STOPPING,
        ReasonCode.WAITS_FOR_PREEMPTION,
        ReasonCode.WAITS_FOR_CALENDAR,
        ReasonCode.TEAM_CEILING,
        ReasonCode.RESERVED_FOR_TEAM,
    }
)
#: Reasons whose message quotes an AWS service or a script, which may quote the request.
_QUOTING = frozenset(
    {
        ReasonCode.CREATE_REFUSED,
        ReasonCode.CAPACITY,
        ReasonCode.FAILED,
        ReasonCode.RETRYING,
        ReasonCode.JOB_ERROR,
    }
)
#: Reasons whose message is about the request or the record. Callers may read it, but events do not contain it, since
#: events may leave the account.
_ABOUT_THE_REQUEST = frozenset(
    {
        ReasonCode.RULE_VIOLATED,
        ReasonCode.NOT_PERMITTED,
        ReasonCode.UNREADABLE_RECORD,
        ReasonCode.UNREADABLE_REQUEST,
    }
)
#: Replaces, in responses, a text that the caller is not allowed to see.
HIDDEN = "(only callers who may control the job see this text)"


@dataclass(frozen=True, slots=True)
class Reason:
    code: ReasonCode
    message: str = ""
    waits_for: str = ""  # the name of the other job that the message is about

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", bounded(self.message))

    @property
    def is_worded_by_queue(self) -> bool:
        """Returns whether the history and events may contain the message."""
        return self.code not in _QUOTING | _ABOUT_THE_REQUEST

    def without_quotes(self) -> "Reason":
        """Returns the reason as shown to callers who are not allowed to see the request."""
        return Reason(self.code, hidden(self.message)) if self.code in _QUOTING else self


def bounded(text: str, most_bytes: int = LONGEST_TEXT) -> str:
    """Returns the beginning of the text, at most `most_bytes` bytes of UTF-8. Cuts no character in two."""
    if text.isascii():
        return text[:most_bytes]
    return text.encode(errors="replace")[:most_bytes].decode(errors="ignore")


def hidden(text: str) -> str:
    return HIDDEN if text else ""


def idle_for(minutes: int) -> str:
    return f"no GPU of any of its hosts was used for {minutes} min"


def used_less_than(percent: float) -> str:
    return f"its GPUs are used less than {percent:g} % on average"


def nan_for(minutes: int) -> str:
    return f"every loss in its log was NaN for {minutes} min after a warning"


def newest_are_nan(values: int) -> str:
    return f"the newest {values} losses in its log are NaN"


def hung_for(minutes: int) -> str:
    return f"its program wrote no log line and did nothing for {minutes} min"
