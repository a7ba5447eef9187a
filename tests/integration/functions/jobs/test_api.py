"""The REST API's answers (docs/reference/rest.md)."""

from collections.abc import Callable
from typing import Any

import boto3
import pytest

from integration.functions.conftest import ADA, configure
from scheduler.adapters.dynamodb.records.job_records import job_item
from scheduler.core.jobs.demand import Demand
from support.account.simulated_queue import request
from support.builders.jobs import a_job

Call = Callable[..., tuple[int, dict[str, Any]]]

OTHER = "arn:aws:sts::000000000000:assumed-role/Other/bob"
MODEL = "arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/meta-textgeneration-llama-3-1-8b/1.0.0"
SERVERLESS = request("a") | {
    "ServerlessJobConfig": {"BaseModelArn": MODEL, "JobType": "FineTuning", "AcceptEula": True}
}


def test_a_new_job_is_created_and_shown_with_its_request(call: Call) -> None:
    body = request("resnet", priority=4)
    status, job = call("POST", "/add-job", body)
    assert status == 201
    assert (job["name"], job["state"], job["priority"], job["owner"]) == ("resnet", "pending", 4, ADA)
    assert job["arn"] == "arn:aws:sagemaker:eu-west-1:000000000000:training-job/resnet"
    assert job["instances"] == {"ml.m5.large": 1}
    assert job["position"] == 1
    status, shown = call("GET", "/jobs/resnet")
    assert status == 200
    assert shown.pop("request") == body
    assert (shown.pop("actions"), shown.pop("alternatives")) == ([], [])
    assert shown.pop("cost")["dollars"] == 0
    assert (shown.pop("model_artifacts"), shown.pop("metrics")) == (None, {})
    assert shown.pop("callbacks") == []
    assert job.pop("is_new") is True
    assert job.pop("cost_range")["most_dollars"] == pytest.approx(0.115 * 24)
    assert {**shown, "updated_at": None} == {**job, "updated_at": None}


def test_the_same_body_again_is_the_same_job_and_another_body_is_refused(call: Call) -> None:
    call("POST", "/add-job", request("resnet"))
    assert call("POST", "/add-job", request("resnet"))[0] == 200
    status, error = call("POST", "/add-job", request("resnet", priority=1))
    assert status == 409
    assert (error["error"], error["field"]) == ("name_taken", "TrainingJobName")
    assert error["remedy"]
    assert call("GET", "/jobs")[1]["jobs"][0]["priority"] == 0


def test_a_list_has_positions_reasons_and_the_budget(call: Call) -> None:
    call("POST", "/add-job", request("wide", instances=2))
    call("POST", "/add-job", request("urgent", priority=9, instances=2))
    _, listing = call("GET", "/jobs")
    assert {job["name"]: job["position"] for job in listing["jobs"]} == {"urgent": 1, "wide": 2}
    assert {job["name"]: job["reason"]["code"] for job in listing["jobs"]} == {
        "urgent": "fits",
        "wide": "waits_for_budget",
    }
    assert listing["budget"]["ml.m5.large"] == {"limit": 2, "held": 0}


def test_a_long_list_comes_in_pages(call: Call) -> None:
    for number in range(3):
        call("POST", "/add-job", request(f"job{number}"))
    _, first = call("GET", "/jobs", limit="2")
    _, second = call("GET", "/jobs", limit="2", next=first["next"])
    assert [job["name"] for job in first["jobs"] + second["jobs"]] == ["job0", "job1", "job2"]
    assert second["next"] is None


def test_a_waiting_job_is_cancelled_at_once_and_again_without_harm(call: Call) -> None:
    call("POST", "/add-job", request("resnet"))
    for _ in range(2):
        status, job = call("POST", "/jobs/resnet/cancel")
        assert (status, job["state"], job["reason"]["code"]) == (202, "stopped", "cancelled")


@pytest.mark.parametrize(
    ("body", "status", "error", "field"),
    [
        ("{", 400, "not_json", None),
        ("", 400, "not_json", None),
        ("[]", 400, "invalid_request", None),
        ("[" * 100_000, 400, "not_json", None),
        ('{"a": "\\ud800"}', 400, "not_json", None),
        ('{"a": "\ud800"}', 400, "not_json", None),
        (request("a") | {"HyperParameters": float("nan")}, 400, "not_json", None),
        ('{"TrainingJobName": "a", "TrainingJobName": "b"}', 400, "not_json", None),
        (request("a") | {"HyperParameters": {"x": "\0"}}, 400, "invalid_request", "HyperParameters.x"),
        (request("a") | {"HyperParameters": {"x\0": ""}}, 400, "invalid_request", "HyperParameters.x"),
        ('{"TrainingJobName": "a"}', 400, "invalid_request", "RoleArn"),
        (request("a", kind="ml.p5.48xlarge"), 400, "over_budget", "ResourceConfig.InstanceType"),
        (request("a", instances=3), 400, "over_budget", "ResourceConfig.InstanceCount"),
        (SERVERLESS, 400, "unsupported", "ServerlessJobConfig"),
        ('{"a": "' + "x" * 4_194_304 + '"}', 413, "too_large", None),
    ],
)
def test_a_bad_body_is_refused_and_nothing_is_stored(
    call: Call, body: object, status: int, error: str, field: str | None
) -> None:
    answered, answer = call("POST", "/add-job", body)
    assert (answered, answer["error"], answer["field"]) == (status, error, field)
    assert answer["message"]
    assert answer["remedy"]
    assert call("GET", "/jobs")[1]["jobs"] == []


@pytest.mark.parametrize(
    ("method", "path", "query", "status", "error"),
    [
        ("GET", "/jobs/nobody", {}, 404, "unknown_job"),
        ("POST", "/jobs/nobody/cancel", {}, 404, "unknown_job"),
        ("GET", "/jobs", {"state": "sleeping"}, 400, "invalid_request"),
        ("GET", "/jobs/" + "a" * 3000, {}, 404, "unknown_job"),
        ("POST", "/jobs/" + "a" * 3000 + "/cancel", {}, 404, "unknown_job"),
        ("GET", "/jobs/§", {}, 404, "unknown_job"),
        ("POST", '/jobs/a"b/hold', {}, 404, "unknown_job"),
        ("GET", "/jobs", {"limit": "0"}, 400, "invalid_request"),
        ("GET", "/jobs", {"limit": "9" * 5000}, 400, "invalid_request"),
        ("GET", "/jobs", {"next": "!"}, 400, "unknown_token"),
        ("GET", "/elsewhere", {}, 404, "unknown_path"),
    ],
)
def test_a_bad_question_gets_an_answer(
    call: Call, method: str, path: str, query: dict[str, str], status: int, error: str
) -> None:
    answered, answer = call(method, path, None, **query)
    assert (answered, answer["error"]) == (status, error)


def test_the_name_of_an_unknown_job_writes_no_lines_of_its_own_into_the_answer(call: Call) -> None:
    status, answer = call("GET", "/jobs/a%0Ab%E2%80%AE")
    assert (status, answer["error"]) == (404, "unknown_job")
    assert answer["message"] == r"No job named 'a\nb\u202e'"


def test_unusable_settings_are_reported_to_each_caller(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUDGET_SCOPE", "region")
    status, error = call("GET", "/jobs")
    assert (status, error["error"]) == (503, "bad_setting")
    assert error["message"] == "BUDGET_SCOPE: 'region' is not one of queue, account"


def test_an_owner_may_let_only_so_many_jobs_wait(call: Call) -> None:
    configure(call, policy={"queued_per_owner": 1})
    assert call("POST", "/add-job", request("first"))[0] == 201
    status, error = call("POST", "/add-job", request("second"))
    assert (status, error["error"]) == (409, "owner_cap")
    assert error["message"] == "The owner has reached the limit on waiting, held and parked jobs: 1 of 1"
    assert call("POST", "/add-job", request("second"), caller=f"{ADA}-again")[0] == 409  # another session of the role
    assert call("POST", "/add-job", request("first"))[0] == 200  # the same job once more
    on_hold = request("held") | {"Tags": [{"Key": "queue:hold", "Value": "true"}]}
    assert call("POST", "/add-job", on_hold)[0] == 409, "it could be released later"
    call("POST", "/jobs/first/cancel")
    assert call("POST", "/add-job", on_hold)[0] == 201
    assert call("POST", "/add-job", request("second"))[0] == 409


def test_a_job_that_is_requeued_counts_like_a_new_one(call: Call) -> None:
    configure(call, policy={"queued_per_owner": 1})
    assert call("POST", "/add-job", request("first"))[0] == 201
    call("POST", "/jobs/first/cancel")
    assert call("POST", "/add-job", request("second"))[0] == 201
    status, error = call("POST", "/jobs/first/requeue")
    assert (status, error["error"]) == (409, "owner_cap")
    assert call("POST", "/jobs/second/requeue")[0] == 202, "it waits already"
    call("POST", "/jobs/second/cancel")
    assert call("POST", "/jobs/first/requeue")[0] == 202


def test_an_owner_may_let_a_thousand_jobs_wait_by_default(call: Call) -> None:
    table = boto3.client("dynamodb")
    jobs = (a_job(f"job-{number}", owner=ADA, demand=Demand.of({"ml.m5.large": 1})) for number in range(1000))
    for job in jobs:
        table.put_item(TableName="queue", Item=job_item(job, changed_by="api"))
    assert call("POST", "/add-job", request("one-more"))[1]["error"] == "owner_cap"
    assert call("POST", "/add-job", request("of-another"), caller=OTHER)[0] == 201
    configure(call, policy={"queued_per_owner": 0})
    assert call("POST", "/add-job", request("one-more"))[0] == 201
