"""What can go wrong between a user and the queue. Every error carries a remedy.

QueueError
├── UnsupportedSdk       an installed SDK can go round the queue
├── GoesRound            `verify` found clients that go round the queue
├── StillRunning         the time that somebody wanted to wait is over, and the job is not
├── JobFailed            a job whose result was wanted has none
└── FailedCall           a call came to nothing: also a botocore ClientError, with a code that SDKs and programs know
    ├── NotConfigured       JobQueueNotConfigured: nobody said where the queue is
    ├── CredentialsMissing  JobQueueCredentialsMissing: the ordinary AWS credential chain gives nothing
    ├── QueueUnreachable    JobQueueUnreachable: no answer, or only server errors, after retries
    ├── NotAQueue           NotAJobQueue: something answered that is not a queue
    │   └── OtherVersion    JobQueueOtherVersion: it is a queue, but its stack does not know this call
    └── QueueRefusal        the queue said no
        ├── InvalidSubmission   ValidationException
        │   ├── TooManyTags
        │   └── TooLarge
        ├── OverBudget          JobQueueRejected
        ├── NameTaken           ResourceInUse
        ├── AccessDenied        AccessDeniedException
        │   └── NotPermitted        the same, by what the queue's operators have laid down
        ├── UnknownJob          ValidationException, as SageMaker itself says "not found"
        ├── AlreadyFinished     ValidationException, as SageMaker itself says "too late"
        ├── WrongState          ValidationException: the job's state does not allow it
        │   ├── NotHeld
        │   └── NotQueued
        ├── TokenReused         IdempotentParameterMismatch: the client token belongs to another request
        ├── RuleViolated        JobQueueRejected, with every rule that the request breaks
        ├── OwnerCap            JobQueueRejected
        ├── IntakeClosed        JobQueueRejected: operators have closed the queue for new jobs
        ├── Busy                ThrottlingException: others keep changing the same record; nothing was changed
        ├── NotRunning          ValidationException
        ├── WrongRegion         ValidationException
        └── document_errors     what is said of operators' documents

Telemetry of the SageMaker SDKs sends error texts to AWS: no text names a team or holds a part of a request.
"""

import copyreg
from collections.abc import Sequence

from botocore.exceptions import ClientError

from sagequeue.contract.rules import Violation


class QueueError(Exception):
    """Base of all errors of this package."""

    remedy: str

    def __init__(self, message: str, remedy: str) -> None:
        Exception.__init__(self, message, remedy)  # by name: in a refusal, the next in line is ClientError
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message.rstrip('.')}. {self.remedy}".rstrip()


class UnsupportedSdk(QueueError):
    pass


class GoesRound(QueueError):
    """`clients` are those that do not lead to the queue."""

    def __init__(self, message: str, remedy: str, clients: Sequence[object] = ()) -> None:
        super().__init__(message, remedy)
        self.clients = clients


class StillRunning(QueueError, TimeoutError):
    pass


class JobFailed(QueueError):
    pass


class FailedCall(QueueError, ClientError):
    """`status` is the HTTP status of the answer, or what fits best where there was none."""

    code: str
    status = 400

    def __init__(self, message: str, remedy: str) -> None:
        QueueError.__init__(self, message, remedy)
        # What ClientError's own constructor sets; code written for botocore reads these two.
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
        """As any object: ClientError's own way would call the constructor with what only it takes."""
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
    """`field` is the path of the offending member, such as `ResourceConfig.InstanceCount`."""

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


class OverBudget(QueueRefusal):
    pass


class NameTaken(QueueRefusal):
    code = "ResourceInUse"
    status = 409


class AccessDenied(QueueRefusal):
    code = "AccessDeniedException"
    status = 403


class NotPermitted(AccessDenied):
    """API Gateway let the call pass; `sagequeue whoami` tells what its caller may do."""


class UnknownJob(QueueRefusal):
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


class OwnerCap(QueueRefusal):
    status = 409


class IntakeClosed(QueueRefusal):
    status = 409


class RuleViolated(QueueRefusal):
    """The request breaks the queue's rules; `violations` has one entry for each."""

    status = 422

    def __init__(
        self, message: str, remedy: str = "", field: str | None = None, violations: Sequence[Violation] = ()
    ) -> None:
        super().__init__(message, remedy, field)
        self.violations = list(violations)
