"""Checks which SDKs the hooks support, from package metadata: importing an SDK takes seconds."""

import re
from importlib.metadata import PackageNotFoundError, version

from sagequeue.errors import UnsupportedSdk

# Earlier releases kept one client for the whole process, or made it from a session of their own: jobs could go straight
# to SageMaker whatever session was given (sagemaker-python-sdk, pull request 6273). SDK v2 uses core 1.
_FIRST_SUPPORTED_CORE = (2, 24)


def refuse_old_core() -> None:
    """Raises UnsupportedSdk if the installed sagemaker-core can ignore the session that it is given."""
    found = installed("sagemaker-core")
    if found and (2,) <= _numbers(found) < _FIRST_SUPPORTED_CORE:
        raise UnsupportedSdk(
            f"sagemaker-core {found} can ignore the session that it is given, so jobs could bypass the queue.",
            "Install 'sagemaker-core>=2.24,<3'; the version of the package sagemaker does not matter.",
        )


def installed(package: str) -> str | None:
    """Returns the installed version of the package, or None."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _numbers(text: str) -> tuple[int, ...]:
    """Returns the first two numbers: 2 and 24 for "2.24.0rc1"."""
    return tuple(int(digits) for digits in re.findall(r"\d+", text)[:2])
