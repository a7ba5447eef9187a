"""The errors that the queue's own parts raise, catch and answer. `refusals` has those that callers see.

SchedulerError
├── BadSetting            a setting of the stack is invalid
├── refusals.BadRequest   and all refusals that callers see
├── BadEvent              an event cannot be read
├── UnknownJob            the queue has no job of this name
├── BodyUnavailable       a job's request cannot be fetched now
├── launch_check.LaunchRefused    a job may not start, and is parked
├── DocumentUnreadable    an operators' document cannot be read: what it allows is unknown until a valid one is applied
├── StaleJob              the record changed since it was read: read and decide again
├── PoolNotReleased       a warm pool still holds its instances
├── StaleControls         the operators' controls changed since they were read
├── StaleDocument         an operators' document changed since it was read
├── LeaseLost             another cycle took over
├── LeaseHeld             another cycle is running
├── CycleUnfinished       a cycle ran out of time
├── AlarmServiceError     CloudWatch cannot be called now
├── EventsRefused         EventBridge did not take some events
├── OverBudget            the reservation would exceed the budget
└── TrainingServiceError
    ├── Throttled         not executed: try later
    ├── OutcomeUnknown    it may or may not have been executed
    ├── LimitExceeded     a quota of SageMaker
    ├── AttemptExists     the name is in use
    ├── AttemptUnknown    SageMaker does not know the name
    ├── AlreadyEnded      a stop came too late
    ├── AlreadyStopping
    └── Refused           the request cannot be carried out
        └── NameClash     its name belongs to a training job outside the queue
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
    """A warm pool still holds its instances."""


class StaleControls(SchedulerError):
    pass


class StaleDocument(SchedulerError):
    pass


class LeaseLost(SchedulerError):
    pass


class LeaseHeld(SchedulerError):
    pass


class CycleUnfinished(SchedulerError):
    """A cycle ran out of time. The next one continues its work."""


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
    """A quota of SageMaker refuses the request. `may_pass`: it may be free again later (aws-facts 2.22)."""

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
    """The request cannot be carried out. `may_pass`: it may succeed in a few minutes (aws-facts 2.25)."""

    def __init__(self, message: str, *, may_pass: bool = False) -> None:
        super().__init__(message)
        self.may_pass = may_pass


class NameClash(Refused):
    """The attempt's name belongs to a training job outside the queue."""
