"""Runs calls in parallel for a limited time, so that no call delays another."""

import logging
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

from scheduler.errors.internal import DATA_ERRORS, WebhookFailed

logger = logging.getLogger(__name__)

_Key = TypeVar("_Key", bound=Hashable)


def failed_of(calls: Mapping[_Key, Callable[[], object]], seconds: float) -> list[_Key]:
    """Runs all calls, and returns the keys of the calls that failed or did not end in time."""
    threads = ThreadPoolExecutor(max(1, len(calls)))
    started = {key: threads.submit(call) for key, call in calls.items()}
    wait(started.values(), timeout=seconds)
    threads.shutdown(wait=False)  # a call that is still running may yet succeed: its repeat has the same ID
    return [key for key, call in started.items() if not _has_succeeded(call)]


def _has_succeeded(call: Future[object]) -> bool:
    if not call.done():
        logger.warning("webhook failed", extra={"cause": "no answer in time"})
        return False
    try:
        call.result()
    except (WebhookFailed, *DATA_ERRORS) as error:
        # Only our own words: other errors may quote the message.
        cause = str(error) if isinstance(error, WebhookFailed) else type(error).__name__
        logger.warning("webhook failed", extra={"cause": cause})
        return False
    return True
