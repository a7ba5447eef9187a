"""A program that gets no notice learns its checkpoint folder, unless it is the default."""

from typing import Any

import pytest

from scheduler.core.requests.stop_notice.variables import with_variables

FOLDER = "SAGEQUEUE_CHECKPOINT_PATH"


def a_request(folder: str | None, **environment: str) -> dict[str, Any]:
    checkpoints = {"S3Uri": "s3://bucket/checkpoints"} | ({"LocalPath": folder} if folder else {})
    return {"CheckpointConfig": checkpoints} | ({"Environment": environment} if environment else {})


@pytest.mark.parametrize(
    ("request_body", "environment"),
    [
        (a_request("/opt/ml/saves"), {FOLDER: "/opt/ml/saves"}),
        (a_request("/opt/ml/saves", EPOCHS="3", SAGEQUEUE_ATTEMPT="copied"), {"EPOCHS": "3", FOLDER: "/opt/ml/saves"}),
        (a_request("/opt/ml/checkpoints"), None),
        (a_request(None), None),
        ({}, None),
        (a_request("/" + "x" * 512), None),
    ],
)
def test_a_program_without_notice_learns_a_folder_that_is_not_the_default(
    request_body: dict[str, Any], environment: dict[str, str] | None
) -> None:
    assert with_variables(request_body, {}).get("Environment") == environment


def test_a_full_environment_gets_no_further_entry() -> None:
    full = {f"V{number}": "1" for number in range(100)}
    assert with_variables(a_request("/opt/ml/saves", **full), {})["Environment"] == full
