"""Submissions with options and a client's token."""

import random
from collections.abc import Callable
from string import ascii_letters
from typing import Any

import boto3
import pytest

from scheduler.adapters.dynamodb.jobs.store import DynamoDBJobStore
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.ports.job_store import SCHEDULE
from scheduler.wiring import shared
from support.account.simulated_queue import request
from support.builders.jobs import changed_job

Call = Callable[..., tuple[int, dict[str, Any]]]
BOB = "arn:aws:sts::000000000000:assumed-role/Engineer/bob"
ANEW = "arn:aws:sts::000000000000:assumed-role/Scientist/GitHubActions-2"  # ADA's role in another session


def submission(name: str = "resnet", token: str | None = None, **options: Any) -> dict[str, Any]:
    bare = {key: value for key, value in request(name).items() if key != "Tags"}
    return {"request": bare, "options": options} | ({"client_token": token} if token else {})


def test_options_beside_the_request_leave_it_untouched(call: Call) -> None:
    times = {"not_before": "2090-01-01T00:00:00Z", "deadline": "2090-01-03T00:00:00Z", "deadline_for": "start"}
    body = submission(priority=3, never_preempt=True, checkpoint_interval=600, **times)
    status, job = call("POST", "/jobs", body)
    assert (status, job["priority"], job["state"]) == (201, 3, "pending")
    assert job["options"] == {
        "never_preempt": True,
        "checkpoint_interval": 600,
        "idle_exempt": False,
        "interactive": False,
        "retries": None,
        "team": None,
        "source_etag": None,
        "notify": [],
        "order": "given",
        "instances": None,
        "restart_tuning": False,
        "min_parallel": None,
        "expires": None,
        **times,
        "after_ok": [],
        "after_any": [],
        "after_not_ok": [],
        "if_never_satisfied": "park",
    }
    assert job["reason"]["code"] == "waits_for_time"
    assert call("GET", "/jobs/resnet/why")[1]["deadline"] == "met"
    assert call("GET", "/jobs/resnet")[1]["request"] == body["request"]


@pytest.mark.parametrize(
    ("tag", "options"),
    [
        ({"Key": "queue:order", "Value": "best"}, {"alternatives": [{"request": {"EnableManagedSpotTraining": True}}]}),
        ({"Key": "queue:deadline-for", "Value": "start"}, {"deadline": "2090-01-03T00:00:00Z"}),
        ({"Key": "queue:if-never-satisfied", "Value": "cancel"}, {"after_ok": ["prep"]}),
    ],
)
def test_a_tag_may_need_an_option_beside_the_request(call: Call, tag: dict[str, str], options: dict[str, Any]) -> None:
    call("POST", "/jobs", submission("prep"))
    limits = {"MaxRuntimeInSeconds": 600, "MaxWaitTimeInSeconds": 1200} if "alternatives" in options else {}
    body = {"request": {**request("resnet"), "Tags": [tag]}, "options": options}
    if limits:
        options["alternatives"][0]["request"]["StoppingCondition"] = limits
    assert call("POST", "/jobs", body)[0] == 201
    assert call("POST", "/jobs", body)[0] == 200


def test_a_job_answers_its_alternatives_as_options_of_another_submission(call: Call) -> None:
    larger = {"request": {"ResourceConfig": {"InstanceCount": 2}}, "wait_for_better": 60}
    assert call("POST", "/jobs", submission(alternatives=[larger], order="best"))[0] == 201
    ranking = call("GET", "/jobs/resnet/why")[1]["ranking"]
    few = "too few recent attempts (0 of 5)"
    assert ranking == [f"choice 0 (1 × ml.m5.large): {few}", f"choice 1 (2 × ml.m5.large): {few}"]
    job = call("GET", "/jobs/resnet")[1]
    again = submission("again", alternatives=job["alternatives"])
    assert call("POST", "/jobs", again)[1]["choices"] == job["choices"]
    assert call("GET", "/jobs/again")[1]["alternatives"] == job["alternatives"]
    assert [choice["instances"] for choice in job["choices"]] == [{"ml.m5.large": 1}, {"ml.m5.large": 2}]


def test_an_elastic_job_answers_its_widths_as_an_option_of_another_submission(call: Call) -> None:
    widths = {"min": 1, "max": 2, "step": 1, "hyperparameters": {"1": {"batch-size": "16"}}}
    wide = submission(instances=widths)
    wide["request"]["ResourceConfig"]["InstanceCount"] = 2
    assert call("POST", "/jobs", wide)[0] == 201
    job = call("GET", "/jobs/resnet")[1]
    assert (job["options"]["instances"], job["alternatives"]) == (widths, [])
    assert [choice["instances"] for choice in job["choices"]] == [{"ml.m5.large": 2}, {"ml.m5.large": 1}]
    (listed,) = call("GET", "/jobs")[1]["jobs"]
    assert listed["options"]["instances"] == {"min": 1, "max": 2, "step": 1}


def test_a_job_can_be_submitted_to_be_held(call: Call) -> None:
    assert call("POST", "/jobs", submission(hold=True))[1]["state"] == "held"


def test_one_tag_too_many_is_refused_with_the_way_round(call: Call) -> None:
    tags = [{"Key": f"tag-{number}", "Value": ""} for number in range(48)]
    priority = {"Key": "queue:priority", "Value": "3"}
    status, error = call("POST", "/jobs", {"request": request("resnet") | {"Tags": [*tags, priority]}})
    assert (status, error["error"], error["field"]) == (400, "too_many_tags", "Tags")
    assert "the submission's `options`" in error["remedy"]
    body = {"request": request("resnet") | {"Tags": tags}, "options": {"priority": 3}}
    assert call("POST", "/jobs", body)[1]["priority"] == 3


def test_the_same_token_and_body_is_the_same_job(call: Call) -> None:
    assert call("POST", "/jobs", submission(token="t"))[0] == 201
    assert call("POST", "/jobs", submission(token="t"))[0] == 200
    assert len(call("GET", "/jobs")[1]["jobs"]) == 1


def test_the_same_body_after_the_end_is_refused_as_by_sagemaker(call: Call) -> None:
    submitted = call("POST", "/jobs", submission())[1]["submitted_at"].replace("T", " ").partition(".")[0]
    call("POST", "/jobs/resnet/cancel")
    status, error = call("POST", "/jobs", submission())
    assert (status, error["error"], error["field"]) == (409, "name_used", "TrainingJobName")
    assert error["message"] == f"resnet, submitted at {submitted} UTC, is already stopped"
    assert call("POST", "/add-job", submission()["request"])[1]["error"] == "name_used"
    assert call("POST", "/what-if", submission())[1]["error"] == "name_used"


def test_a_token_says_that_it_is_the_submission_of_the_ended_job(call: Call) -> None:
    call("POST", "/jobs", submission(token="t"))
    call("POST", "/jobs/resnet/cancel")
    status, job = call("POST", "/jobs", submission(token="t"))
    assert (status, job["state"], job["is_new"]) == (200, "stopped", False)
    assert call("POST", "/jobs", submission())[1]["error"] == "name_used"
    assert call("POST", "/jobs", submission(token="u"))[1]["error"] == "name_taken"


def test_the_etag_of_the_first_submission_is_kept_and_does_not_make_it_another_job(call: Call) -> None:
    first = call("POST", "/jobs", submission(source_etag="a1"))
    again = call("POST", "/jobs", submission(source_etag="b2"))
    assert [(status, job["options"]["source_etag"]) for status, job in (first, again)] == [(201, "a1"), (200, "a1")]
    assert call("POST", "/jobs", submission(source_etag="b2", priority=1))[1]["error"] == "name_taken"
    assert call("POST", "/jobs", submission("other", source_etag="ü"))[1]["field"] == "options.source_etag"


def test_an_answer_says_whether_the_job_is_new(call: Call) -> None:
    assert call("POST", "/jobs", submission())[1]["is_new"] is True
    assert call("POST", "/jobs", submission())[1]["is_new"] is False


@pytest.mark.parametrize("other", [submission("other", token="t"), submission(token="t", priority=1)])
def test_a_token_is_not_used_for_another_job_or_body(call: Call, other: dict[str, Any]) -> None:
    call("POST", "/jobs", submission(token="t"))
    status, error = call("POST", "/jobs", other)
    assert (status, error["error"], error["field"]) == (409, "token_reused", "client_token")
    assert len(call("GET", "/jobs")[1]["jobs"]) == 1


def test_the_token_of_another_caller_never_matches(call: Call) -> None:
    call("POST", "/jobs", submission(token="t"))
    status, error = call("POST", "/jobs", submission(token="t"), caller=BOB)
    assert (status, error["error"]) == (409, "name_taken")
    assert call("POST", "/jobs", submission("bobs", token="t"), caller=BOB)[0] == 201


def test_a_role_that_is_assumed_anew_repeats_its_submission(call: Call) -> None:
    call("POST", "/jobs", submission(token="t"))
    status, job = call("POST", "/jobs", submission(token="t"), caller=ANEW)
    assert (status, job["name"]) == (200, "resnet")
    assert len(call("GET", "/jobs")[1]["jobs"]) == 1


def test_a_role_that_is_assumed_anew_does_not_submit_twice_under_another_name(call: Call) -> None:
    call("POST", "/jobs", submission(token="t"))
    status, error = call("POST", "/jobs", submission("resnet-2", token="t"), caller=ANEW)
    assert (status, error["error"]) == (409, "token_reused")
    assert len(call("GET", "/jobs")[1]["jobs"]) == 1


@pytest.mark.parametrize(
    ("body", "error", "field"),
    [
        ({}, "invalid_request", "request"),
        ({"request": []}, "invalid_request", "request"),
        (request("a"), "invalid_request", "TrainingJobName"),
        (submission() | {"options": "none"}, "invalid_request", "options"),
        (submission() | {"token": "t"}, "invalid_request", "token"),
        (submission() | {"client_token": 5}, "invalid_request", "client_token"),
        (submission() | {"client_token": ""}, "invalid_request", "client_token"),
        (submission(token="ü"), "invalid_request", "client_token"),
        (submission(token="t" * 129), "invalid_request", "client_token"),
        (submission(priority="high"), "invalid_request", "options.priority"),
        (submission(priority=True), "invalid_request", "options.priority"),
        (submission(prio=1), "invalid_request", "options.prio"),
        (submission(hold=1), "invalid_request", "options.hold"),
        ({"request": {}}, "invalid_request", "TrainingJobName"),
        ({"request": request("a", priority=1), "options": {"priority": 2}}, "invalid_request", "options.priority"),
    ],
)
def test_a_bad_submission_is_refused_with_its_field(call: Call, body: object, error: str, field: str) -> None:
    status, answer = call("POST", "/jobs", body)
    assert (status, answer["error"]) == (400, error)
    assert answer["field"].removeprefix("request.") == field
    assert answer["remedy"]
    assert call("GET", "/jobs")[1]["jobs"] == []


def test_a_large_body_that_is_refused_leaves_nothing_in_the_bucket(call: Call) -> None:
    noise = "".join(random.Random(0).choices(ascii_letters, k=512_000))  # noqa: S311 (not a secret, only incompressible)
    large = request("resnet") | {"DebugRuleConfigurations": [rule(noise, number) for number in range(20)]}
    assert call("POST", "/add-job", large)[0] == 201
    assert call("POST", "/add-job", large | {"RoleArn": "arn:aws:iam::000000000000:role/Other"})[0] == 409
    assert call("POST", "/add-job", large)[0] == 200
    assert boto3.client("s3").list_objects_v2(Bucket="bodies")["KeyCount"] == 1
    assert call("GET", "/jobs/resnet")[1]["request"] == large


def rule(noise: str, number: int) -> dict[str, Any]:
    """The largest that SageMaker allows, with a part of the noise in it."""
    texts = [noise[start : start + 256] for start in range(number * 25_600, (number + 1) * 25_600, 256)]
    parameters = {f"p{place}": text for place, text in enumerate(texts)}
    return {"RuleConfigurationName": f"rule-{number}", "RuleEvaluatorImage": "any", "RuleParameters": parameters}


def test_a_cycle_may_write_the_parked_job_that_a_submission_repeats(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("POST", "/jobs", submission())[0] == 201
    store, save, cycles = shared.job_stores().jobs, DynamoDBJobStore.save, iter(["a cycle"])
    store.save(changed_job(store.get("resnet"), state=JobState.PARKED), by=SCHEDULE)

    def save_after_cycle(self: DynamoDBJobStore, job: Job, *, by: str) -> Job:
        if next(cycles, None):
            save(self, store.get(job.name), by=SCHEDULE)
        return save(self, job, by=by)

    monkeypatch.setattr(DynamoDBJobStore, "save", save_after_cycle)
    status, job = call("POST", "/jobs", submission())
    assert (status, job["state"]) == (200, "pending"), job
