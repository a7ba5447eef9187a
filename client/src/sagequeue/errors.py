"""Defines the client's errors. Every error carries a remedy.

QueueError
├── UnsupportedSdk       an installed SDK can bypass the queue
├── BypassesQueue        `verify` found clients that bypass the queue
├── StillRunning         the timeout passed before the job ended
├── JobFailed            the job ended without the requested result
└── FailedCall           a call failed: also a botocore ClientError, with a code for SDKs and programs
    ├── NotConfigured       JobQueueNotConfigured: the queue's address is not set
    ├── CredentialsMissing  JobQueueCredentialsMissing: there are no AWS credentials, or they cannot be used
    ├── QueueUnreachable    JobQueueUnreachable: no answer, or only server errors, after retries
    ├── NotAQueue           NotAJobQueue: the answer is not from a queue
    │   └── OtherVersion    JobQueueOtherVersion: the queue's stack does not know this call
    └── QueueRefusal        the queue refused the call
        ├── InvalidSubmission   ValidationException
        │   ├── TooManyTags
        │   └── TooLarge
        ├── OverBudget          JobQueueRejected
        ├── AnswerTooLarge      ValidationException
        ├── NameTaken           ResourceInUse
        │   └── NameUsed            the same request had a job, which has ended
        ├── AccessDenied        AccessDeniedException
        │   └── NotPermitted        the configuration's callers do not permit the call
        ├── UnknownJob          ValidationException, as SageMaker reports "not found"
        ├── AlreadyFinished     ValidationException, as SageMaker reports a job that has ended
        ├── WrongState          ValidationException: the job's state does not allow the action
        │   ├── NotHeld
        │   └── NotQueued
        ├── TokenReused         IdempotentParameterMismatch: the client token belongs to another request
        ├── RuleViolated        JobQueueRejected, with every rule that the request breaks
        ├── OwnerCap            JobQueueRejected
        ├── IntakeClosed        JobQueueRejected: operators have closed the queue to new jobs
        ├── Unavailable         JobQueueUnavailable: the queue reports, after retries, that it cannot serve the call now
        ├── Busy                ThrottlingException: other callers keep changing the record; nothing was changed
        ├── NotRunning          ValidationException
        ├── WrongRegion         ValidationException
        └── config_errors       errors about the configuration

The telemetry of the SageMaker SDKs sends error messages to AWS. The client's own messages name no team and quote no
request. The queue's refusals quote the invalid member, as SageMaker's errors do, but never the value of a
hyperparameter or an environment variable.
"""

import copyreg
from collections.abc import Sequence

from botocore.exceptions import ClientError

from sagequeue.contract.jobs import Violation


class QueueError(Exception):
    """Base class of all errors in this package."""

    remedy: str

    def __init__(self, message: str, remedy: str) -> None:
        Exception.__init__(self, message, remedy)  # called by name, because super() is ClientError in a FailedCall
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message.rstrip('.')}. {self.remedy}".rstrip()


class UnsupportedSdk(QueueError):
    pass


class BypassesQueue(QueueError):
    """Reports that SageMaker clients bypass the queue; `clients` lists them."""

    def __init__(self, message: str, remedy: str, clients: Sequence[object] = ()) -> None:
        super().__init__(message, remedy)
        self.clients = clients


class StillRunning(QueueError, TimeoutError):
    pass


class JobFailed(QueueError):
    pass


class FailedCall(QueueError, ClientError):
    """Reports a failed call. `status` is the HTTP status of the answer, or the closest match if there was none."""

    code: str
    status = 400

    def __init__(self, message: str, remedy: str) -> None:
        QueueError.__init__(self, message, remedy)
        # ClientError's constructor would set these two attributes, and code written for botocore reads them.
        self.operation_name = "SageQueue"
        self.response = {
            "Error": {"Code": self.code, "Message": str(self)},
            "ResponseMetadata": {
                "HTTPStatusCode": self.status,
                "HTTPHeaders": {},
                "RequestId": "",
                "HostId": "",
                "RetryAttempts": 0,
            },
        }

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles the error as an ordinary object, because ClientError's own method expects other arguments."""
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]  # pickle's own


class NotConfigured(FailedCall):
    code = "JobQueueNotConfigured"


class CredentialsMissing(FailedCall):
    code = "JobQueueCredentialsMissing"
    status = 403


class QueueUnreachable(FailedCall):
    code = "JobQueueUnreachable"
    status = 503


class NotAQueue(FailedCall):
    code = "NotAJobQueue"
    status = 404


class OtherVersion(NotAQueue):
    code = "JobQueueOtherVersion"


class QueueRefusal(FailedCall):
    """Reports a refused call. `field` is the path of the invalid member, such as `ResourceConfig.InstanceCount`."""

    code = "JobQueueRejected"

    def __init__(self, message: str, remedy: str = "", field: str | None = None) -> None:
        super().__init__(message, remedy)
        self.field = field


class InvalidSubmission(QueueRefusal):
    code = "ValidationException"


class TooManyTags(InvalidSubmission):
    pass


class TooLarge(InvalidSubmission):
    status = 413


class AnswerTooLarge(QueueRefusal):
    """Reports that the answer exceeds the 6 MB that the queue can return."""

    code = "ValidationException"
    status = 413


class OverBudget(QueueRefusal):
    pass


class NameTaken(QueueRefusal):
    code = "ResourceInUse"
    status = 409


class NameUsed(NameTaken):
    """Reports that the same request was submitted before, without a client token, and that its job has ended."""


class AccessDenied(QueueRefusal):
    code = "AccessDeniedException"
    status = 403


class NotPermitted(AccessDenied):
    """Reports a missing permission in the queue's configuration; `sagequeue whoami` shows the caller's permissions."""


class UnknownJob(QueueRefusal):
    code = "ValidationException"
    status = 404


class UnknownArray(QueueRefusal):
    code = "ValidationException"
    status = 404


class AlreadyFinished(QueueRefusal):
    code = "ValidationException"
    status = 409


class NotRunning(QueueRefusal):
    code = "ValidationException"


class WrongRegion(QueueRefusal):
    code = "ValidationException"


class WrongState(QueueRefusal):
    code = "ValidationException"
    status = 409


class NotHeld(WrongState):
    pass


class NotQueued(WrongState):
    pass


class TokenReused(QueueRefusal):
    code = "IdempotentParameterMismatch"
    status = 409


class Busy(QueueRefusal):
    code = "ThrottlingException"
    status = 409


class Unavailable(QueueRefusal):
    """Reports that the queue cannot serve the call now: a record or setting is broken, or a request cannot be read."""

    code = "JobQueueUnavailable"
    status = 503


class OwnerCap(QueueRefusal):
    status = 409


class IntakeClosed(QueueRefusal):
    status = 409


class RuleViolated(QueueRefusal):
    """Reports a request that breaks the queue's rules; `violations` has one entry for each rule."""

    status = 422

    def __init__(
        self, message: str, remedy: str = "", field: str | None = None, violations: Sequence[Violation] = ()
    ) -> None:
        super().__init__(message, remedy, field)
        self.violations = list(violations)
