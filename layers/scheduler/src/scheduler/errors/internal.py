"""The queue's errors. AWS's vocabulary stops at the adapters, which raise these, chained to their cause.

SchedulerError
├── BadSetting          a setting of the stack that cannot be used
├── refusals.BadRequest, with all that callers are told
├── BadEvent            an event that cannot be read
├── UnknownJob
├── BodyUnavailable     the request of a job cannot be fetched at the moment
├── start_gate.Barred   a job may not start, and is parked
├── DocumentUnreadable  nobody can tell what operators have laid down, until one that can be read is in force
├── StaleJob            the record changed since it was read: read again and decide again
├── PoolNotReleased           a warm pool holds its instances still
├── StaleControls       the same of what operators have set
├── StaleDocument       the same of a document that operators lay down
├── LeaseLost           another cycle took over
├── LeaseHeld           another cycle is at work
├── Unfinished          a cycle ran out of time
├── AlarmServiceError   CloudWatch cannot be asked at the moment
├── OverBudget          the reservation would exceed the budget
└── TrainingServiceError
    ├── Throttled       not executed: try later
    ├── OutcomeUnknown  it may or may not have been executed
    ├── LimitExceeded   SageMaker's own quota: wait, or for ever
    ├── AttemptExists   the name is in use
    ├── AttemptUnknown  SageMaker does not know the name
    ├── AlreadyEnded    a stop came too late
    ├── AlreadyStopping
    └── Refused         the request cannot be carried out
        └── NameClash   its name belongs to somebody else
"""


class SchedulerError(Exception):
    """Base of all errors that the queue raises."""


class BadSetting(SchedulerError):
    def __init__(self, setting: str, problem: str) -> None:
        super().__init__(f"{setting}: {problem}")


class BadEvent(SchedulerError):
    pass


class UnknownJob(SchedulerError):
    pass


class BodyUnavailable(SchedulerError):
    pass


class DocumentUnreadable(SchedulerError):
    pass


class StaleJob(SchedulerError):
    pass


class PoolNotReleased(SchedulerError):
    """The warm pool holds its instances still."""


class StaleControls(SchedulerError):
    pass


class StaleDocument(SchedulerError):
    pass


class LeaseLost(SchedulerError):
    pass


class LeaseHeld(SchedulerError):
    pass


class CycleUnfinished(SchedulerError):
    """A cycle ran out of time; the next one goes on."""


class OverBudget(SchedulerError):
    pass


class AlarmServiceError(SchedulerError):
    pass


class EventsRefused(SchedulerError):
    """EventBridge did not take some events."""


class TrainingServiceError(SchedulerError):
    pass


class Throttled(TrainingServiceError):
    pass


class OutcomeUnknown(TrainingServiceError):
    pass


class LimitExceeded(TrainingServiceError):
    """SageMaker's own quota refuses. `may_pass` tells "wait" from "never" (aws-facts 2.22)."""

    def __init__(self, message: str, *, may_pass: bool) -> None:
        super().__init__(message)
        self.may_pass = may_pass


class AttemptExists(TrainingServiceError):
    pass


class AttemptUnknown(TrainingServiceError):
    pass


class AlreadyEnded(TrainingServiceError):
    pass


class AlreadyStopping(TrainingServiceError):
    pass


class Refused(TrainingServiceError):
    """The request cannot be carried out. `may_pass` tells what may be different in a few minutes (aws-facts 2.25)."""

    def __init__(self, message: str, *, may_pass: bool = False) -> None:
        super().__init__(message)
        self.may_pass = may_pass


class NameClash(Refused):
    """The attempt's name belongs to a training job that is not ours."""
