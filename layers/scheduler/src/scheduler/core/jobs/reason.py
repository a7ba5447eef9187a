"""Why a job is where it is: one value that feeds the log, the API, the command line and the tests."""

from enum import StrEnum

from attrs import frozen


class ReasonCode(StrEnum):
    """Machine-readable reasons; clients may branch on these, never on the message."""

    SUBMITTED = "submitted"  # accepted, not yet looked at by a cycle
    HELD = "held"  # waits until somebody releases it
    FITS = "fits"  # free budget: launched now
    WAITS_FOR_BUDGET = "waits_for_budget"  # the budget is held by jobs that it may not preempt
    WAITS_FOR_STOPPING = "waits_for_stopping"  # enough budget is about to be released
    WAITS_FOR_PREEMPTION = "waits_for_preemption"  # jobs of lower priority are being stopped for it
    WAITS_FOR_RECONCILIATION = "waits_for_reconciliation"  # it is not known what else holds the budget in the account
    WAITS_FOR_CALENDAR = (
        "waits_for_calendar"  # it could neither end nor give way before the budget shrinks, or needs more
    )
    WAITS_BEHIND = "waits_behind"  # a job ahead of it waits for the same instance type, and it would delay that one
    SPENDING_LIMIT = "spending_limit"  # what may be spent this month is used up, or it is not known what has been
    OWNER_CAP = "owner_cap"  # its owner runs as many jobs as one owner may
    WAITS_FOR_CAPACITY = "waits_for_capacity"  # SageMaker had no such instances lately, and the next try is not due
    WAITS_FOR_CHECKPOINT_PREFIX = "waits_for_checkpoint_prefix"  # a live job writes to the same S3 prefix
    RULE_VIOLATED = "rule_violated"  # the operator's rules are against it
    NOT_PERMITTED = "not_permitted"  # its owner may not run it by what operators have laid down since
    RETRYING = "retrying"  # an attempt failed in a way that another one may not
    BACKING_OFF = "backing_off"  # it failed, and its next attempt is not due yet
    LEAVES_SPOT = "leaves_spot"  # it goes on on demand
    EXCEEDS_BUDGET = "exceeds_budget"  # it needs more than the whole budget
    OUTRANKED = "outranked"  # preempted for a job of higher priority
    OVER_BUDGET = "over_budget"  # stopped: the budget was shrunk below what ran, or a spending limit is used up
    RECLAIMED = "reclaimed"  # preempted by a team that took back what is guaranteed to it
    RUNNING = "running"
    CREATE_REFUSED = "create_refused"  # SageMaker refused the request for good
    CAPACITY = "capacity"  # SageMaker had no instance to give: it will be tried again
    NAME_CLASH = "name_clash"  # a training job of somebody else has the attempt's name
    CANCELLED = "cancelled"  # somebody asked for it
    REQUEUED = "requeued"  # somebody asked for another attempt
    STOPPED_OUTSIDE = "stopped_outside"  # stopped in SageMaker, not through the queue
    IDLE_GPU = "idle_gpu"  # stopped because nobody used its GPUs
    TIME_LIMIT = "time_limit"  # SageMaker stopped it at MaxRuntime or MaxWaitTime
    COMPLETED = "completed"
    FAILED = "failed"
    UNREADABLE_RECORD = "unreadable_record"  # its item in the table is broken, or of a newer version of the queue
    UNREADABLE_REQUEST = "unreadable_request"  # the item that holds its request, or the object, is lost or broken
    VANISHED = "vanished"  # SageMaker knew the attempt and no longer does: somebody deleted it


@frozen
class Reason:
    code: ReasonCode
    message: str = ""
