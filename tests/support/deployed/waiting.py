"""Waits until a state is reached, or until SageMaker's limit on calls allows another call."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from botocore.config import Config
from tenacity import RetryCallState, Retrying, retry_if_result, stop_after_delay, wait_fixed

Value = TypeVar("Value")

# SageMaker allows two lists and five descriptions a second; a faster test waits.
PATIENT = Config(retries={"mode": "standard", "max_attempts": 10})


def eventually(probe: Callable[[], Value], holds: Callable[[Value], bool], *, within: float = 240) -> Value:
    """Returns the first answer of `probe` for which `holds` is true. Fails the test after `within` seconds."""

    def give_up(attempts: RetryCallState) -> Value:
        assert attempts.outcome is not None
        pytest.fail(f"still not so after {within} s: {attempts.outcome.result()}")

    patiently = Retrying(
        stop=stop_after_delay(within),
        wait=wait_fixed(0.2),
        retry=retry_if_result(lambda value: not holds(value)),
        retry_error_callback=give_up,
    )
    return patiently(probe)
