"""SageQueue's client: submits SageMaker training jobs to the queue, from any SDK, the shell or CI.

The package is fast to import, because each public name is loaded when it is first used. Only `QueueSession` (v2) and
`queue_session` (v3) import a SageMaker SDK, which takes seconds.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sagequeue.api.client import QueueClient
    from sagequeue.api.config_errors import BadConfig, LocksOut, StaleConfig, UnknownVersion
    from sagequeue.errors import (
        AccessDenied,
        AlreadyFinished,
        AnswerTooLarge,
        Busy,
        BypassesQueue,
        CredentialsMissing,
        FailedCall,
        IntakeClosed,
        InvalidSubmission,
        JobFailed,
        NameTaken,
        NameUsed,
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
        Unavailable,
        UnknownArray,
        UnknownJob,
        UnsupportedSdk,
        WrongRegion,
        WrongState,
    )
    from sagequeue.hooks.installation import install, queueing, uninstall
    from sagequeue.hooks.training_jobs import AutoMLIsNotQueued, LogNotReadable
    from sagequeue.hooks.verification import verify
    from sagequeue.jobs.submission_warnings import SubmissionWarning
    from sagequeue.sdks.v2_session import QueueSession
    from sagequeue.sdks.v3_session import queue_session
    from sagequeue.submission.job_queue import JobQueue
    from sagequeue.submission.queued_job import QueuedJob
    from sagequeue.sweeps.sweep import Sweep

__all__ = [
    "AccessDenied",
    "AlreadyFinished",
    "AnswerTooLarge",
    "AutoMLIsNotQueued",
    "BadConfig",
    "Busy",
    "BypassesQueue",
    "CredentialsMissing",
    "FailedCall",
    "IntakeClosed",
    "InvalidSubmission",
    "JobFailed",
    "JobQueue",
    "LocksOut",
    "LogNotReadable",
    "NameTaken",
    "NameUsed",
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
    "StaleConfig",
    "StillRunning",
    "SubmissionWarning",
    "Sweep",
    "TokenReused",
    "TooLarge",
    "TooManyTags",
    "Unavailable",
    "UnknownArray",
    "UnknownJob",
    "UnknownVersion",
    "UnsupportedSdk",
    "WrongRegion",
    "WrongState",
    "install",
    "queue_session",
    "queueing",
    "uninstall",
    "verify",
]

#: The module of each public name, except the errors.
_MODULES = {
    "QueueClient": "sagequeue.api.client",
    "JobQueue": "sagequeue.submission.job_queue",
    "QueueSession": "sagequeue.sdks.v2_session",
    "QueuedJob": "sagequeue.submission.queued_job",
    "install": "sagequeue.hooks.installation",
    "queue_session": "sagequeue.sdks.v3_session",
    "Sweep": "sagequeue.sweeps.sweep",
    "queueing": "sagequeue.hooks.installation",
    "uninstall": "sagequeue.hooks.installation",
    "SubmissionWarning": "sagequeue.jobs.submission_warnings",
    "LogNotReadable": "sagequeue.hooks.training_jobs",
    "AutoMLIsNotQueued": "sagequeue.hooks.training_jobs",
    "verify": "sagequeue.hooks.verification",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    errors = import_module("sagequeue.errors")
    module = _MODULES.get(name, "sagequeue.errors" if hasattr(errors, name) else "sagequeue.api.config_errors")
    return getattr(import_module(module), name)
