"""A refusal names the field as the caller wrote it, its value, and what to do. Possible secrets are left out."""

from collections.abc import Callable
from typing import Any

import pytest

from scheduler.errors.refusals import shown
from support.account.simulated_queue import request
from support.builders.processing_requests import ROLE, a_processing_request
from support.requests.wrong import WRONG

Call = Callable[..., tuple[int, dict[str, Any]]]

GOOD = request("wrong")
#: What differs from a good request, and the field and the value that a refusal names.
INVALID: list[tuple[dict[str, Any], str, str]] = [
    ({"RoleArn": "SageMakerLocalRole"}, "RoleArn", "'SageMakerLocalRole'"),
    ({"RoleArn": 5}, "RoleArn", "5"),
    ({"RoleArn": ["a", "b"]}, "RoleArn", "a list"),
    ({"TrainingJobName": "a_b"}, "TrainingJobName", "'a_b'"),
    ({"TrainingJobName": "a" * 64}, "TrainingJobName", f"'{'a' * 64}'"),
    ({"OutputDataConfig": {"S3OutputPath": "bucket/out"}}, "OutputDataConfig.S3OutputPath", "'bucket/out'"),
    ({"EnableNetworkIsolation": "yes"}, "EnableNetworkIsolation", "'yes'"),
    ({"HyperParameters": {"epochs": 3}}, "HyperParameters.epochs", "3"),
    ({"StoppingCondition": {"MaxRuntimeInSeconds": "1h"}}, "StoppingCondition.MaxRuntimeInSeconds", "'1h'"),
    ({"StoppingCondition": {"MaxRuntimeInSeconds": 0}}, "StoppingCondition.MaxRuntimeInSeconds", "0"),
    ({"RetryStrategy": {"MaximumRetryAttempts": 2**40}}, "RetryStrategy.MaximumRetryAttempts", str(2**40)),
    ({"CheckpointConfig": {"S3Uri": "s3://bucket"}}, "CheckpointConfig.S3Uri", "'s3://bucket'"),
    ({"Tags": [{"Key": "queue:priority", "Value": "high"}]}, "Tags[0].Value", "'high'"),
    ({"Tags": [{"Key": "queue:prio", "Value": "1"}]}, "Tags[0].Key", "queue:prio"),
]
#: Wrong options beside a good request.
OPTIONS: list[tuple[dict[str, Any], str, str]] = [
    ({"priority": "high"}, "options.priority", "'high'"),
    ({"priority": 10_000}, "options.priority", "10000"),
    ({"hold": "yes"}, "options.hold", "'yes'"),
    ({"never_preempt": 1}, "options.never_preempt", "1"),
    ({"idle_exempt": None}, "options.idle_exempt", "null"),
    ({"retries": 11}, "options.retries", "11"),
    ({"checkpoint_interval": 0}, "options.checkpoint_interval", "0"),
    ({"source_etag": "a b"}, "options.source_etag", "'a b'"),
    ({"prio": 5}, "options.prio", "prio"),
    ({"instances": "2-8"}, "options.instances", "'2-8'"),
    ({"instances": {"min": 0, "max": 2}}, "options.instances.min", "0"),
    ({"instances": {"min": 1}}, "options.instances.max", "missing"),
    ({"instances": {"min": 1, "max": 1}}, "options.instances.min", "1"),
    ({"instances": {"min": 1, "max": 9}}, "options.instances.step", "1"),
    ({"instances": {"min": 1, "max": 4, "hyperparameters": {"2": {}}}}, "options.instances.hyperparameters.2", "empty"),
    ({"alternatives": "spot"}, "options.alternatives", "'spot'"),
    ({"order": "best"}, "options.order", "no alternatives"),
    ({"order": "cheapest"}, "options.order", "'cheapest'"),
    ({"alternatives": [{"request": {"RoleArn": "x"}}]}, "options.alternatives[0].request.RoleArn", "'x'"),
    (
        {"alternatives": [{"request": {"EnableManagedSpotTraining": False}, "wait_for_better": "1h"}]},
        "options.alternatives[0].wait_for_better",
        "'1h'",
    ),
]
#: Calls other than submissions.
CALLS: list[tuple[str, str, Any, str, str]] = [
    ("PUT", "/budget", {"budget": {"ml.m5.large": "four"}}, "budget.ml.m5.large", "'four'"),
    ("PUT", "/budget", {"budget": {"m5": 4}}, "budget.m5", "m5"),
    ("PUT", "/budget", {"budget": 4}, "budget", "4"),
    ("POST", "/change-jobs", {"change": "stop", "names": ["a"]}, "change", "'stop'"),
    ("POST", "/change-jobs", {"change": "hold", "names": ["a b"]}, "names[0]", "'a b'"),
    ("POST", "/change-jobs", {"change": "priority", "names": ["a"], "priority": 10_000}, "priority", "10000"),
    ("POST", "/jobs", {"request": GOOD, "client_token": "a b"}, "client_token", "'a b'"),
]
#: Parameters of a query.
QUERIES: list[tuple[str, dict[str, str]]] = [
    ("/jobs", {"state": "asleep"}),
    ("/jobs", {"mine": "yes"}),
    ("/jobs", {"team": "unknown"}),
    ("/jobs", {"limit": "many"}),
    ("/jobs", {"next": "here"}),
    ("/history", {"since": "noon"}),
    ("/history", {"until": "2026-11-21T12:00:00"}),
    ("/history", {"next": "here"}),
    ("/budget/history", {"since": "noon"}),
    ("/budget/history", {"since": "2020-01-01T00:00:00Z"}),
    ("/budget/history", {"since": "3020-01-01T00:00:00Z"}),
    ("/config", {"version": "last"}),
]

QUERY = {"Database": "db", "QueryString": "SELECT 1", "OutputS3Uri": "s3://bucket/rows", "OutputFormat": "PARQUET"}


def test_each_wrong_body_has_its_value_in_the_message(call: Call) -> None:
    for name, (changes, field) in WRONG.items():
        _, refusal = call("POST", "/add-job", GOOD | changes)
        value = member(GOOD | changes, field)
        assert (name, refusal["field"]) == (name, field)
        assert field in refusal["message"]
        assert value in (None, {}) or isinstance(value, dict | list) or shown(value) in refusal["message"]
        assert is_sentence(refusal["remedy"])


def test_wrong_members_options_and_calls_have_field_value_and_remedy(call: Call) -> None:
    calls = [("POST", "/add-job", GOOD | changes, field, value) for changes, field, value in INVALID]
    calls += [("POST", "/jobs", {"request": GOOD, "options": given}, field, value) for given, field, value in OPTIONS]
    for method, path, body, field, value in [*calls, *CALLS]:
        status, refusal = call(method, path, body)
        assert (path, body, status, refusal["field"]) == (path, body, 400, field)
        assert value in refusal["message"]
        assert field in refusal["message"] or field.startswith("Tags")  # a tag is named by its key
        assert is_sentence(refusal["remedy"])


def test_a_wrong_parameter_has_name_value_and_remedy(call: Call) -> None:
    for path, query in QUERIES:
        status, refusal = call("GET", path, **query)
        [(name, value)] = query.items()
        assert (path, query, status, refusal["field"]) == (path, query, 400, name)
        assert refusal["message"].startswith(f"{name} is {shown(value)}")
        assert is_sentence(refusal["remedy"])


def test_a_role_without_its_arn_is_named_with_what_to_give(call: Call) -> None:
    _, refusal = call("POST", "/add-job", GOOD | {"RoleArn": "SageMakerLocalRole"})
    assert refusal["message"] == "RoleArn is 'SageMakerLocalRole', which is not an ARN"
    assert refusal["remedy"].startswith("Give the ARN, which begins with arn:, and not the name. In SageMaker's SDKs")


def test_a_wrong_tag_is_named_by_its_key(call: Call) -> None:
    _, refusal = call("POST", "/add-job", GOOD | {"Tags": [{"Key": "queue:hold", "Value": "maybe"}]})
    assert refusal["message"] == "The tag queue:hold cannot be 'maybe'"


@pytest.mark.parametrize("member", ["HyperParameters", "Environment"])
@pytest.mark.parametrize("name", ["password", "DB_PASSWD", "CLIENT_SECRET", "HF_TOKEN", "apiKey", "credentials"])
def test_a_value_that_may_be_secret_is_left_out(call: Call, member: str, name: str) -> None:
    _, refusal = call("POST", "/add-job", GOOD | {member: {name: 31337}})
    assert refusal["message"] == f"{member}.{name} must be a string"
    assert "31337" not in str(refusal)


def test_a_text_of_a_user_is_left_out(call: Call) -> None:
    _, refusal = call("POST", "/add-job", GOOD | {"HyperParameters": {"data": "hidden" * 500}})
    assert refusal["message"] == "HyperParameters.data must have at most 2500 characters, not 3000"
    assert "hidden" not in str(refusal)


def test_the_content_of_an_object_is_left_out(call: Call) -> None:
    _, refusal = call("POST", "/add-job", GOOD | {"Environment": [{"Name": "A", "Value": "hidden"}]})
    assert refusal["message"] == "Environment must be an object, not a list"
    _, refusal = call("POST", "/add-job", GOOD | {"RoleArn": {"Password": "hidden"}})
    assert refusal["message"] == "RoleArn must be a string, not an object"


def member(body: Any, path: str) -> Any:
    """Returns the member of a request at a path such as `Tags[1].Key`; None if it is missing."""
    for step in path.replace("[", ".").replace("]", "").split("."):
        body = body[int(step)] if isinstance(body, list) else (body or {}).get(step)
    return body


def is_sentence(remedy: str) -> bool:
    return remedy[:1].isupper() and remedy.endswith((".", "?"))


@pytest.mark.parametrize(
    "definition",
    [
        {"AthenaDatasetDefinition": {**QUERY, "Catalog": "AwsDataCatalog"}},
        {"RedshiftDatasetDefinition": {**QUERY, "ClusterId": "dwh", "DbUser": "ada", "ClusterRoleArn": ROLE}},
    ],
    ids=["athena", "redshift"],
)
def test_a_processing_job_that_queries_a_database_is_not_supported(call: Call, definition: dict[str, Any]) -> None:
    rows = {"InputName": "rows", "DatasetDefinition": definition}
    status, error = call("POST", "/add-job", a_processing_request(ProcessingInputs=[rows]))
    assert (status, error["error"], error["field"]) == (400, "unsupported", "ProcessingInputs[0].DatasetDefinition")
