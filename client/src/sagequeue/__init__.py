"""SageQueue's client: put SageMaker training jobs into the queue from any SDK, the shell or CI.

Every name is loaded when it is first used: importing the package costs next to nothing, and the SageMaker SDKs, which
take seconds, are imported only by those who ask for `QueueSession` (v2) or `queue_session` (v3).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sagequeue.client import QueueClient
    from sagequeue.document_errors import (
        BadCalendar,
        BadCallers,
        BadDocument,
        BadPoolRules,
        BadPrices,
        BadRules,
        BadSpending,
        LocksOut,
        StaleCalendar,
        StaleCallers,
        StaleDocument,
        StalePoolRules,
        StalePrices,
        StaleRules,
        StaleSpending,
    )
    from sagequeue.errors import (
        AccessDenied,
        AlreadyFinished,
        Busy,
        CredentialsMissing,
        FailedCall,
        GoesRound,
        IntakeClosed,
        InvalidSubmission,
        JobFailed,
        NameTaken,
        NotAQueue,
        NotConfigured,
        NotHeld,
        NotPermitted,
        NotQueued,
        NotRunning,
        OtherVersion,
        OverBudget,
        OwnerCap,
        QueueError,
        QueueRefusal,
        QueueUnreachable,
        RuleViolated,
        StillRunning,
        TokenReused,
        TooLarge,
        TooManyTags,
        UnknownJob,
        UnsupportedSdk,
        WrongRegion,
        WrongState,
    )
    from sagequeue.hooks import install, queueing, uninstall
    from sagequeue.job_queue import JobQueue
    from sagequeue.queued_job import QueuedJob
    from sagequeue.sdk3 import queue_session
    from sagequeue.session import QueueSession
    from sagequeue.tuning import TuningIsNotQueued
    from sagequeue.verification import verify

__all__ = [
    "AccessDenied",
    "AlreadyFinished",
    "BadCalendar",
    "BadCallers",
    "BadDocument",
    "BadPoolRules",
    "BadPrices",
    "BadRules",
    "BadSpending",
    "Busy",
    "CredentialsMissing",
    "FailedCall",
    "GoesRound",
    "IntakeClosed",
    "InvalidSubmission",
    "JobFailed",
    "JobQueue",
    "LocksOut",
    "NameTaken",
    "NotAQueue",
    "NotConfigured",
    "NotHeld",
    "NotPermitted",
    "NotQueued",
    "NotRunning",
    "OtherVersion",
    "OverBudget",
    "OwnerCap",
    "QueueClient",
    "QueueError",
    "QueueRefusal",
    "QueueSession",
    "QueueUnreachable",
    "QueuedJob",
    "RuleViolated",
    "StaleCalendar",
    "StaleCallers",
    "StaleDocument",
    "StalePoolRules",
    "StalePrices",
    "StaleRules",
    "StaleSpending",
    "StillRunning",
    "TokenReused",
    "TooLarge",
    "TooManyTags",
    "TuningIsNotQueued",
    "UnknownJob",
    "UnsupportedSdk",
    "WrongRegion",
    "WrongState",
    "install",
    "queue_session",
    "queueing",
    "uninstall",
    "verify",
]

_OF_DOCUMENTS = {
    "BadCalendar",
    "BadCallers",
    "BadDocument",
    "BadPoolRules",
    "BadPrices",
    "BadRules",
    "BadSpending",
    "LocksOut",
    "StaleCalendar",
    "StaleCallers",
    "StaleDocument",
    "StalePoolRules",
    "StalePrices",
    "StaleRules",
    "StaleSpending",
}
_HOMES = dict.fromkeys(_OF_DOCUMENTS, "sagequeue.document_errors") | {
    "QueueClient": "sagequeue.client",
    "JobQueue": "sagequeue.job_queue",
    "QueueSession": "sagequeue.session",
    "QueuedJob": "sagequeue.queued_job",
    "install": "sagequeue.hooks",
    "queue_session": "sagequeue.sdk3",
    "queueing": "sagequeue.hooks",
    "uninstall": "sagequeue.hooks",
    "TuningIsNotQueued": "sagequeue.tuning",
    "verify": "sagequeue.verification",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "sagequeue.errors")), name)
