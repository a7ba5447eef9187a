"""Which SDKs can be led through the queue. Read from the installed packages: importing one takes seconds."""

import re
from importlib.metadata import PackageNotFoundError, version

from sagequeue.errors import UnsupportedSdk

# Before it, sagemaker-core kept one client for the whole process, or made it from a session of its own: whatever
# session it is given, jobs can go straight to SageMaker (sagemaker-python-sdk, pull request 6273). SDK v2 uses core 1.
_FIRST_GOOD_CORE = (2, 24)


def refuse_old_core() -> None:
    """Raises UnsupportedSdk if the installed sagemaker-core can ignore the session that it is given."""
    found = installed("sagemaker-core")
    if found and (2,) <= _numbers(found) < _FIRST_GOOD_CORE:
        raise UnsupportedSdk(
            f"sagemaker-core {found} can ignore the session it is given, and jobs would go round the queue.",
            "Install 'sagemaker-core>=2.24,<3'; the version of the package sagemaker does not decide it.",
        )


def installed(package: str) -> str | None:
    """Its version, if there is one."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _numbers(text: str) -> tuple[int, ...]:
    """Of "2.24.0rc1": 2 and 24."""
    return tuple(int(digits) for digits in re.findall(r"\d+", text)[:2])
