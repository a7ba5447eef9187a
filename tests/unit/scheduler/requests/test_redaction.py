"""Quoted values are removed from SageMaker's messages about a request."""

from typing import Any

import pytest

from scheduler.core.requests.redaction import redacted

REQUEST: dict[str, Any] = {
    "HyperParameters": {"password": "hunter2-and-more", "epochs": "10"},
    "Environment": {"TOKEN": "hunter2"},
    "ResourceConfig": {"InstanceType": "ml.m5.large"},
}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "1 validation error detected: Value 'hunter2' at 'environment.TOKEN.member' failed to satisfy constraint",
            "1 validation error detected: Value '…' at 'environment.TOKEN.member' failed to satisfy constraint",
        ),
        ("1 validation error detected: Value '{TOKEN=x, MO", "1 validation error detected: Value '…'"),
        ("password=hunter2-and-more is too simple", "password=… is too simple"),
        ("at most 10 of ml.m5.large", "at most 10 of ml.m5.large"),
        (
            "Value 'ml.x' at 'resourceConfig.instanceType' failed to satisfy constraint",
            "Value '…' at 'resourceConfig.instanceType' failed to satisfy constraint",
        ),
    ],
)
def test_values_of_hyperparameters_and_environment_are_not_repeated(said: str, kept: str) -> None:
    assert redacted(said, REQUEST) == kept


def test_a_request_without_either_is_quoted_as_it_is() -> None:
    assert redacted("Could not assume role", {}) == "Could not assume role"
