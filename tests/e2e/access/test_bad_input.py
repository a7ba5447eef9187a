"""Requests that cannot run are refused at submission, with a remedy, and leave no record."""

import json
from collections.abc import Callable
from secrets import token_hex
from typing import Any

import boto3
import pytest

from support.deployed.container_requests import body
from support.deployed.rest_api import RestApi, parsed

NAME = "refused"
MEGABYTE = 1024 * 1024

Change = Callable[[dict[str, Any]], object]

#: One of each kind; tests/unit/scheduler/requests/test_submission.py has the others.
BAD_REQUESTS: dict[str, tuple[Change, str, str]] = {
    "instances are missing": (lambda r: r.pop("ResourceConfig"), "invalid_request", "ResourceConfig"),
    "a field is misspelt": (
        lambda r: r["ResourceConfig"].update(InstanceTypo="ml.m5.large"),
        "invalid_request",
        "ResourceConfig.InstanceTypo",
    ),
    "the type is outside the budget": (
        lambda r: r["ResourceConfig"].update(InstanceType="ml.p5.48xlarge"),
        "over_budget",
        "ResourceConfig.InstanceType",
    ),
}


@pytest.mark.parametrize(("change", "error", "field"), BAD_REQUESTS.values(), ids=BAD_REQUESTS.keys())
def test_a_bad_request_is_refused_with_its_field_and_a_remedy(
    rest_api: RestApi, change: Change, error: str, field: str
) -> None:
    request = body(NAME)
    change(request)
    answer = rest_api.post("/add-job", request)
    refusal = parsed(answer)
    assert (answer.status_code, refusal["error"], refusal["field"]) == (400, error, field)
    assert refusal["message"]
    assert refusal["remedy"]


@pytest.mark.parametrize("text", [b"", b'"text"', b"\xff\xfe"])
def test_what_is_not_a_json_object_is_refused(rest_api: RestApi, text: bytes) -> None:
    answer = rest_api.post("/add-job", text)
    assert answer.status_code == 400
    assert parsed(answer)["error"] in {"not_json", "invalid_request"}
    assert parsed(answer)["remedy"]


def test_a_body_over_one_and_a_quarter_megabytes_is_too_large(rest_api: RestApi) -> None:
    padded = json.dumps(body(NAME)).encode() + b" " * (5 * MEGABYTE // 4)
    answer = rest_api.post("/add-job", padded)
    assert (answer.status_code, parsed(answer)["error"]) == (413, "too_large")
    assert parsed(answer)["remedy"]


def test_nothing_of_all_this_was_stored(rest_api: RestApi) -> None:
    assert rest_api.get(f"/jobs/{NAME}").status_code == 404
    assert NAME not in {job["name"] for job in rest_api.jobs()}


def test_a_body_of_a_megabyte_is_kept_whole_in_s3(rest_api: RestApi, body_bucket: str) -> None:
    request = body("large") | {"DebugRuleConfigurations": [random_rule(number) for number in range(20)]}
    assert len(json.dumps(request)) > 1_000_000
    rest_api.submit(request)
    assert rest_api.job("large")["request"] == request
    stored = boto3.client("s3").list_objects_v2(Bucket=body_bucket, Prefix="requests/large-")
    assert stored["KeyCount"] == 1


def random_rule(number: int) -> dict[str, Any]:
    """The largest that SageMaker allows, and hard to compress."""
    parameters = {token_hex(128): token_hex(128) for _ in range(100)}
    return {"RuleConfigurationName": f"rule-{number}", "RuleEvaluatorImage": "any", "RuleParameters": parameters}
