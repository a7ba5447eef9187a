"""SageQueue's client: puts SageMaker training jobs into the queue from any SDK, the shell or CI.

Each public name is imported on first use, so importing the package is fast. The SageMaker SDKs take seconds to import;
only `QueueSession` (v2) and `queue_session` (v3) import them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sagequeue.api.client import QueueClient
    from sagequeue.api.document_errors import (
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
        BypassesQueue,
        CredentialsMissing,
        FailedCall,
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
    from sagequeue.hooks.installation import install, queueing, uninstall
    from sagequeue.hooks.training_jobs import TuningIsNotQueued
    from sagequeue.hooks.verification import verify
    from sagequeue.sdks.v2_session import QueueSession
    from sagequeue.sdks.v3_session import queue_session
    from sagequeue.submission.job_queue import JobQueue
    from sagequeue.submission.queued_job import QueuedJob

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
    "BypassesQueue",
    "CredentialsMissing",
    "FailedCall",
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

#: The modules of all names but the errors.
_MODULES = {
    "QueueClient": "sagequeue.api.client",
    "JobQueue": "sagequeue.submission.job_queue",
    "QueueSession": "sagequeue.sdks.v2_session",
    "QueuedJob": "sagequeue.submission.queued_job",
    "install": "sagequeue.hooks.installation",
    "queue_session": "sagequeue.sdks.v3_session",
    "queueing": "sagequeue.hooks.installation",
    "uninstall": "sagequeue.hooks.installation",
    "TuningIsNotQueued": "sagequeue.hooks.training_jobs",
    "verify": "sagequeue.hooks.verification",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    errors = import_module("sagequeue.errors")
    module = _MODULES.get(name, "sagequeue.errors" if hasattr(errors, name) else "sagequeue.api.document_errors")
    return getattr(import_module(module), name)
