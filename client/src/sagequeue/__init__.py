"""SageQueue's client: put SageMaker training jobs into the queue from any SDK, the shell or CI.

Every name is loaded when it is first used: importing the package costs next to nothing, and SDK v2 (seconds) is
imported only by those who ask for `QueueSession`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sagequeue.client import QueueClient
    from sagequeue.errors import (
        AccessDenied,
        AlreadyFinished,
        CredentialsMissing,
        InvalidSubmission,
        NameTaken,
        NotAQueue,
        NotConfigured,
        NotRunning,
        OverBudget,
        QueueError,
        QueueRefusal,
        QueueUnreachable,
        UnknownJob,
    )
    from sagequeue.hooks import install, uninstall
    from sagequeue.session import QueueSession

__all__ = [
    "AccessDenied",
    "AlreadyFinished",
    "CredentialsMissing",
    "InvalidSubmission",
    "NameTaken",
    "NotAQueue",
    "NotConfigured",
    "NotRunning",
    "OverBudget",
    "QueueClient",
    "QueueError",
    "QueueRefusal",
    "QueueSession",
    "QueueUnreachable",
    "UnknownJob",
    "install",
    "uninstall",
]

_HOMES = {
    "QueueClient": "sagequeue.client",
    "QueueSession": "sagequeue.session",
    "install": "sagequeue.hooks",
    "uninstall": "sagequeue.hooks",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "sagequeue.errors")), name)
