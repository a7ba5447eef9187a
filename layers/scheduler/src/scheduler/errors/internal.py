"""Errors that the queue's own parts raise and handle. `refusals.py` has the errors that callers see."""


class SchedulerError(Exception):
    """The base class of all errors that the queue raises."""


class BadSetting(SchedulerError):
    """One of the stack's settings is invalid."""

    def __init__(self, setting: str, problem: str) -> None:
        super().__init__(f"{setting}: {problem}")


class BadEvent(SchedulerError):
    """An event cannot be read."""


class UnknownJob(SchedulerError):
    """The queue has no job with this name."""


class UnknownArray(SchedulerError):
    """The queue has no array with this name."""


class BodyUnavailable(SchedulerError):
    """A job's request cannot be fetched now."""


class StopObjectsUnavailable(SchedulerError):
    """A request to stop cannot be written now, or an acknowledgement cannot be read."""


class ConfigurationUnreadable(SchedulerError):
    """No version of the configuration can be read. Permissions are unknown until an operator applies one."""


class StaleJob(SchedulerError):
    """The job's record has changed since it was read. The reader must read it and decide again."""


class RecordRefused(SchedulerError):
    """The table cannot store a record because of its content, such as its size. A repeated write would fail, too."""


class PoolNotReleased(SchedulerError):
    """A warm pool still holds its instances."""


class StaleControls(SchedulerError):
    """The operators' controls have changed since they were read."""


class StaleConfig(SchedulerError):
    """Another version of the configuration was applied in the meantime."""


class LeaseLost(SchedulerError):
    """Another cycle has taken over the lease."""


class LeaseHeld(SchedulerError):
    """Another cycle is running."""


class CycleUnfinished(SchedulerError):
    """A cycle ran out of time. The next cycle continues its work."""


class OverBudget(SchedulerError):
    """The reservation would exceed the budget."""


class AlarmServiceError(SchedulerError):
    """CloudWatch cannot be called now."""


class EventsRefused(SchedulerError):
    """EventBridge did not accept some events."""


class NoticesRefused(SchedulerError):
    """SNS did not accept some notices or subscriptions, but may accept them later."""


class CallbackClosed(SchedulerError):
    """Nobody is waiting for a callback any more: its token is unknown, used or expired."""


class CallbackFailed(SchedulerError):
    """A callback was not delivered, but a retry may succeed."""


class WebhookFailed(SchedulerError):
    """An endpoint did not accept a notice, or must not be called."""


class TrainingServiceError(SchedulerError):
    """A call to SageMaker failed."""


class Throttled(TrainingServiceError):
    """The call was throttled and not executed. It can be repeated later."""


class OutcomeUnknown(TrainingServiceError):
    """The call may or may not have been executed."""


class LimitExceeded(TrainingServiceError):
    """The request exceeds a SageMaker quota. `may_pass`: there may be room in the quota later (aws-facts 2.22)."""

    def __init__(self, message: str, *, may_pass: bool) -> None:
        super().__init__(message)
        self.may_pass = may_pass


class AttemptExists(TrainingServiceError):
    """SageMaker already has a training job with the attempt's name."""


class AttemptUnknown(TrainingServiceError):
    """SageMaker has no training job with the attempt's name."""


class AlreadyEnded(TrainingServiceError):
    """The training job ended before it could be stopped."""


class AlreadyStopping(TrainingServiceError):
    """A stop was already requested for the training job."""


class Refused(TrainingServiceError):
    """SageMaker refused the request. `may_pass`: it may succeed in a few minutes (aws-facts 2.25)."""

    def __init__(self, message: str, *, may_pass: bool = False) -> None:
        super().__init__(message)
        self.may_pass = may_pass


class NameClash(Refused):
    """The attempt's name belongs to a training job outside the queue."""


#: Exceptions that the content of a record, request or answer may cause in the code that reads, converts or sends it.
DATA_ERRORS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)
