"""The errors that the queue's own parts raise, catch and answer. `refusals` has those that callers see."""


class SchedulerError(Exception):
    """Base of all errors that the queue raises."""


class BadSetting(SchedulerError):
    """A setting of the stack is invalid."""

    def __init__(self, setting: str, problem: str) -> None:
        super().__init__(f"{setting}: {problem}")


class BadEvent(SchedulerError):
    """An event cannot be read."""


class UnknownJob(SchedulerError):
    """The queue has no job of this name."""


class BodyUnavailable(SchedulerError):
    """A job's request cannot be fetched now."""


class StopObjectsUnavailable(SchedulerError):
    """A request to stop cannot be written now, or an acknowledgement cannot be read."""


class ConfigurationUnreadable(SchedulerError):
    """No version of the configuration can be read: what it allows is unknown until an operator applies another."""


class StaleJob(SchedulerError):
    """The record changed since it was read: read and decide again."""


class RecordRefused(SchedulerError):
    """The table cannot store a record because of what is in it, such as its size: a repeat is refused, too."""


class PoolNotReleased(SchedulerError):
    """A warm pool still holds its instances."""


class StaleControls(SchedulerError):
    """The operators' controls changed since they were read."""


class StaleConfig(SchedulerError):
    """Another version of the configuration was applied meanwhile."""


class LeaseLost(SchedulerError):
    """Another cycle took over."""


class LeaseHeld(SchedulerError):
    """Another cycle is running."""


class CycleUnfinished(SchedulerError):
    """A cycle ran out of time. The next one continues its work."""


class OverBudget(SchedulerError):
    """The reservation would exceed the budget."""


class AlarmServiceError(SchedulerError):
    """CloudWatch cannot be called now."""


class EventsRefused(SchedulerError):
    """EventBridge did not take some events."""


class TrainingServiceError(SchedulerError):
    """A call of SageMaker failed."""


class Throttled(TrainingServiceError):
    """The call was not executed: try later."""


class OutcomeUnknown(TrainingServiceError):
    """The call may or may not have been executed."""


class LimitExceeded(TrainingServiceError):
    """The request exceeds a SageMaker quota. `may_pass`: the quota may have room later (aws-facts 2.22)."""

    def __init__(self, message: str, *, may_pass: bool) -> None:
        super().__init__(message)
        self.may_pass = may_pass


class AttemptExists(TrainingServiceError):
    """The name is in use."""


class AttemptUnknown(TrainingServiceError):
    """SageMaker does not know the name."""


class AlreadyEnded(TrainingServiceError):
    """A stop came too late."""


class AlreadyStopping(TrainingServiceError):
    """A stop was already requested."""


class Refused(TrainingServiceError):
    """The request cannot be carried out. `may_pass`: it may succeed in a few minutes (aws-facts 2.25)."""

    def __init__(self, message: str, *, may_pass: bool = False) -> None:
        super().__init__(message)
        self.may_pass = may_pass


class NameClash(Refused):
    """The attempt's name belongs to a training job outside the queue."""


#: Exceptions that the content of a record, request or answer may cause in the code that reads, converts or sends it.
DATA_ERRORS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)
