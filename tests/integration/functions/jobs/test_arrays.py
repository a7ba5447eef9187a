"""API calls on arrays."""

from collections.abc import Callable
from typing import Any

import pytest

from integration.functions.conftest import ADA, configure
from scheduler.queue import arrays
from support.account.simulated_queue import request
from support.builders.rules import a_rule, rule_set

Call = Callable[..., tuple[int, dict[str, Any]]]
OTHER = "arn:aws:sts::000000000000:assumed-role/Other/bob"
LISTED = {"lr": [0.1, "0.01"], "big": [True, False]}


def sweep(name: str = "sweep", **members: Any) -> dict[str, Any]:
    hyperparameters = {"lr": "${lr}", "big": "${big}", "cost": "$${lr}"}
    checkpoints = {"S3Uri": "s3://bucket/checkpoints/sweep/${index}"}
    return request(name, **{"HyperParameters": hyperparameters, "CheckpointConfig": checkpoints, **members})


def submission(**members: Any) -> dict[str, Any]:
    return {"request": sweep(), "parameters": LISTED, **members}


def alternative(batch: str) -> dict[str, Any]:
    return {"alternatives": [{"request": {"HyperParameters": {"batch": batch}}}]}


def test_an_array_is_submitted_once_and_its_children_run(call: Call, schedule: Callable[[], None]) -> None:
    status, array = call("POST", "/arrays", submission(at_most=2, most_failures=1, client_token="token"))
    assert (status, array["is_new"], array["size"], array["state"], array["owner"]) == (201, True, 4, "active", ADA)
    assert call("POST", "/arrays", submission(at_most=2, most_failures=1, client_token="token"))[0] == 200
    schedule()
    _, array = call("GET", "/arrays/sweep")
    assert (array["progress"]["running"], array["progress"]["not_created"], array["at_most"]) == (2, 2, 2)
    _, child = call("GET", "/jobs/sweep-1")
    assert child["request"]["HyperParameters"] == {"lr": "0.1", "big": "false", "cost": "${lr}"}
    assert child["request"]["CheckpointConfig"] == {"S3Uri": "s3://bucket/checkpoints/sweep/1"}
    assert call("GET", "/arrays")[1]["arrays"] == [array]


def test_a_child_that_does_not_exist_yet_is_shown_and_says_why(call: Call) -> None:
    call("POST", "/arrays", submission(at_most=1))
    why = {
        "code": "array_limit",
        "message": "it is created when it can start: 3 jobs of sweep are created before it, and at most 1 run at once",
    }
    status, answer = call("GET", "/jobs/sweep-3/why")
    assert (status, answer["state"], answer["reason"], answer["position"]) == (200, "pending", why, None)
    status, job = call("GET", "/jobs/sweep-3")
    assert (status, job["state"], job["reason"], job["attempts"]) == (200, "pending", why, [])
    assert job["request"]["HyperParameters"] == {"lr": "0.01", "big": "false", "cost": "${lr}"}
    assert "HyperParameters" not in call("GET", "/jobs/sweep-3", caller=OTHER)[1]["request"]
    call("POST", "/arrays/sweep/hold")
    assert call("GET", "/jobs/sweep-3/why")[1]["state"] == "held"
    assert call("GET", "/jobs/sweep-4/why")[1]["error"] == "unknown_job"


def test_a_child_that_an_ended_array_did_not_create_counts_as_stopped(call: Call) -> None:
    call("POST", "/arrays", submission())
    call("POST", "/arrays/sweep/cancel")
    for path in ("/jobs/sweep-3/why", "/jobs/sweep-3"):
        status, answer = call("GET", path)
        assert (status, answer["state"], answer["reason"]["code"]) == (200, "stopped", "cancelled")
        assert answer["reason"]["message"] == "its array sweep was cancelled, so it will not be created"


def test_an_array_counts_as_the_jobs_of_it_that_may_wait_at_once(call: Call, schedule: Callable[[], None]) -> None:
    configure(call, policy={"queued_per_owner": 5})
    status, answer = call("POST", "/arrays", {"request": sweep("big"), "parameters": {"lr": [*range(9)], "big": [1]}})
    assert (status, answer["error"], answer["message"].partition(": ")[2]) == (
        409,
        "owner_cap",
        "0 of 5, and arrays, including this one, add up to 9",
    )
    assert call("POST", "/arrays", submission(at_most=3))[0] == 201
    assert call("POST", "/arrays", {**submission(at_most=3), "request": sweep("second")})[1]["error"] == "owner_cap"
    schedule()  # one of its jobs waits, and two run
    assert call("POST", "/arrays", {**submission(at_most=2), "request": sweep("second")})[0] == 201


def test_arrays_that_a_list_does_not_show_count_for_their_owner(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "MOST_LISTED", 2)
    configure(call, policy={"queued_per_owner": 5})
    for name in ("a", "b", "c", "d", "e"):
        assert call("POST", "/arrays", {**submission(at_most=1), "request": sweep(name)})[0] == 201
    assert len(call("GET", "/arrays")[1]["arrays"]) == 2
    assert call("POST", "/arrays", {**submission(at_most=1), "request": sweep("f")})[1]["error"] == "owner_cap"


def test_another_archive_of_the_same_code_does_not_make_another_array(call: Call) -> None:
    first, again = (submission(options={"source_etag": etag}) for etag in ("a1", "b2"))
    assert [call("POST", "/arrays", body)[0] for body in (first, again)] == [201, 200]


def test_an_array_that_has_ended_is_returned_for_its_token_only(call: Call) -> None:
    for name, token in (("sweep", {}), ("tokened", {"client_token": "token"})):
        body = {**submission(**token), "request": sweep(name)}
        assert call("POST", "/arrays", body)[0] == 201
        assert call("POST", f"/arrays/{name}/cancel")[1]["state"] == "ended"
        status, answer = call("POST", "/arrays", body)
        assert (status, answer.get("error")) == ((200, None) if token else (409, "name_used"))
    assert "is already ended" in call("POST", "/arrays", submission())[1]["message"]


def test_an_alternative_may_use_a_parameter_that_the_request_does_not(call: Call) -> None:
    parameters = {**LISTED, "batch": [8, 16]}
    assert call("POST", "/arrays", submission(parameters=parameters, options=alternative("${batch}")))[0] == 201
    _, child = call("GET", "/jobs/sweep-1")
    assert child["alternatives"][0]["request"]["HyperParameters"]["batch"] == "16"


def test_the_token_of_an_array_is_not_that_of_a_job_with_its_name(call: Call) -> None:
    call("POST", "/arrays", submission(client_token="token"))
    status, answer = call("POST", "/jobs", {"request": request("sweep"), "client_token": "token"})
    assert (status, answer["error"]) == (409, "token_reused")


def test_nobody_can_take_the_name_of_a_job_that_an_array_will_create(call: Call, schedule: Callable[[], None]) -> None:
    call("POST", "/arrays", submission(at_most=1, most_failures=0))
    for path, name in (("/jobs", "sweep-3"), ("/what-if", "sweep-3")):
        status, answer = call("POST", path, {"request": request(name)}, caller=OTHER)
        assert (status, answer["error"]) == (409, "name_taken")
    for name in ("sweep-4", "sweep-03", "sweep"):  # no child has one of these names
        assert call("POST", "/jobs", {"request": request(name)})[0] == 201
    schedule()
    assert call("GET", "/arrays/sweep")[1]["progress"]["failed"] == 0


def test_a_parameter_cannot_name_a_model_that_the_first_job_does_not_use(call: Call) -> None:
    for name in ("prep", "other"):
        assert call("POST", "/jobs", {"request": request(name)})[0] == 201
    prep, other, options = "${jobs.prep.model}", "${jobs.other.model}", {"after_ok": ["prep", "other"]}
    parameters = {"lr": [prep, other], "big": [1]}
    status, answer = call("POST", "/arrays", submission(parameters=parameters, options=options))
    assert (status, answer.get("field")) == (400, "HyperParameters.lr")
    assert call("POST", "/arrays", submission(parameters={"lr": [prep], "big": [1]}, options=options))[0] == 201


def test_a_whole_array_is_held_released_prioritised_and_cancelled(call: Call, schedule: Callable[[], None]) -> None:
    call("POST", "/arrays", submission())
    assert call("POST", "/arrays/sweep/hold")[1]["state"] == "held"
    assert call("POST", "/arrays/sweep/release")[1]["state"] == "active"
    assert call("POST", "/arrays/sweep/priority", {"priority": 5})[1]["priority"] == 5
    status, array = call("POST", "/arrays/sweep/cancel")
    assert (status, array["state"], array["end"]) == (202, "ended", "cancelled")
    schedule()
    assert call("POST", "/arrays/sweep/hold")[1]["error"] == "already_finished"
    for what in ("cancel", "hold", "release"):
        assert call("POST", f"/arrays/other/{what}")[1]["error"] == "unknown_array"
    assert call("GET", "/arrays/other")[0] == 404


@pytest.mark.parametrize(
    ("members", "field", "problem"),
    [
        ({"parameters": 3}, "parameters", "is 3, neither an object nor a list"),
        ({"parameters": {"lr": []}}, "parameters.lr", "is a list, not a list with values"),
        ({"parameters": {"lr": [None], "big": [1]}}, "parameters.lr[0]", "is null"),
        ({"parameters": {"index": [1]}}, "parameters.index", "is reserved for the child's number"),
        ({"parameters": {"lr": ["0.1"] * 101, "big": ["1"] * 100}}, "parameters", "describes 10100 jobs"),
        (
            {"parameters": [{"lr": 1, "big": 1}, {"lr": 1}]},
            "parameters[1]",
            "does not have the same names as the first set",
        ),
        ({"parameters": {"lr": [1]}}, "HyperParameters.big", "has the placeholder ${big}, but no parameter"),
        ({"parameters": {**LISTED, "seed": [1]}}, "parameters.seed", "is not used in the request"),
        ({"request": sweep(RoleArn="arn:aws:iam::1:role/${lr}")}, "RoleArn", "cannot have a placeholder"),
        ({"request": sweep(name="${lr}")}, "TrainingJobName", "is '${lr}'"),
        ({"request": sweep(name="a" * 62)}, "TrainingJobName", "is too long: the last of 4 jobs would be"),
        (
            {"request": sweep(CheckpointConfig={"S3Uri": "s3://b/c"})},
            "CheckpointConfig.S3Uri",
            "is s3://b/c for child 0",
        ),
        (
            {"request": sweep(CheckpointConfig={"S3Uri": "s3://b/${lr}"})},
            "CheckpointConfig.S3Uri",
            "is s3://b/0.1 for child 0 and for child 1",
        ),
        ({"request": sweep(CheckpointConfig={"S3Uri": "s3://b/$${index}"})}, "CheckpointConfig.S3Uri", "for child 1"),
        ({"parameters": {"lr": ["a" * 2501], "big": [1]}}, "HyperParameters.lr", "must have at most 2500 characters"),
        ({"parameters": {"lr": ["a" * 100] * 100, "big": ["b" * 900] * 100}}, "parameters", "describes 10080000 bytes"),
        (
            {"options": alternative("${typo}")},
            "options.alternatives[0].request.HyperParameters.batch",
            "has the placeholder ${typo}, but no parameter",
        ),
        (
            {"options": alternative("${lr}${lr}"), "parameters": {"lr": [1, "a" * 1251], "big": [1]}},
            "options.alternatives[0].request.HyperParameters.batch",
            "must have at most 2500 characters",
        ),
        (
            {
                "request": sweep(
                    ResourceConfig={"InstanceType": "ml.m5.large", "InstanceCount": 2, "VolumeSizeInGB": 1}
                ),
                "options": {"instances": {"min": 1, "max": 2, "hyperparameters": {"1": {"batch": "${typo}"}}}},
            },
            "options.instances.1.HyperParameters.batch",
            "has the placeholder ${typo}, but no parameter",
        ),
        ({"at_most": 0}, "at_most", "is 0"),
        ({"most_failures": -1}, "most_failures", "is -1"),
    ],
)
def test_a_wrong_array_is_refused_as_a_whole(call: Call, members: dict[str, Any], field: str, problem: str) -> None:
    status, answer = call("POST", "/arrays", submission(**members))
    assert (status, answer["field"]) == (400, field)
    assert problem in answer["message"]
    assert call("GET", "/arrays")[1]["arrays"] == []


def test_an_equal_job_with_the_name_of_the_first_child_does_not_admit_the_array(call: Call) -> None:
    constant = request("sweep-0", HyperParameters={"seed": "0"})
    assert call("POST", "/jobs", {"request": constant})[0] == 201
    configure(call, rules=rule_set(a_rule("output_prefixes", allowed=["s3://elsewhere/"])))
    array = {**constant, "TrainingJobName": "sweep", "HyperParameters": {"seed": "${seed}"}}
    status, answer = call("POST", "/arrays", {"request": array, "parameters": {"seed": [0]}})
    assert (status, answer["error"], "sweep-0" in answer["message"]) == (409, "name_taken", True)


def test_a_rule_that_one_child_breaks_refuses_the_array(call: Call) -> None:
    configure(call, rules=rule_set(a_rule("output_prefixes", allowed=["s3://bucket/checkpoints/", "s3://bucket/out/"])))
    uris = {"uri": ["checkpoints/a", "elsewhere/b"], "lr": [1], "big": [2]}
    body = submission(request=sweep(CheckpointConfig={"S3Uri": "s3://bucket/${uri}"}), parameters=uris)
    status, answer = call("POST", "/arrays", body)
    assert (status, answer["error"], answer["violations"][0]["field"]) == (
        422,
        "rule_violated",
        "CheckpointConfig.S3Uri",
    )
    assert answer["message"].endswith("(child 1)")
