"""The function `callbacks` reports ends of jobs that the API accepted and the scheduler ran."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from integration.functions.conftest import Context
from local_sagemaker.simulation import Simulation
from scheduler.wiring import callbacks, shared
from support.account.orchestrators import Orchestrators
from support.account.simulated_queue import request

Call = Callable[..., tuple[int, dict[str, Any]]]
SECRET = "AQB8secret+token/for=tests"


@pytest.fixture
def orchestrators(sagemaker: Simulation, monkeypatch: pytest.MonkeyPatch) -> Orchestrators:
    made, fake = shared.client, Orchestrators(waiting={SECRET})

    def client(service: str, **options: Any) -> Any:
        return fake if service in {"stepfunctions", "sqs"} else made(service, **options)

    monkeypatch.setattr(shared, "client", client)
    monkeypatch.setenv("DEAD_LETTERS", "https://sqs/letters")
    callbacks.delivery.cache_clear()
    return fake


@pytest.fixture
def deliver(orchestrators: Orchestrators) -> Callable[[], None]:
    from callbacks.handler import handle

    return lambda: handle({}, Context())  # type: ignore[arg-type] # what the handler uses of it


def submission(**on_end: str) -> dict[str, Any]:
    return {"request": request("resnet"), "on_end": on_end}


def test_a_state_machine_gets_heartbeats_and_then_the_end(
    call: Call,
    schedule: Callable[[], None],
    deliver: Callable[[], None],
    sagemaker: Simulation,
    orchestrators: Orchestrators,
) -> None:
    assert call("POST", "/jobs", submission(task_token=SECRET))[0] == 201
    deliver()
    schedule()
    deliver()
    assert orchestrators.heartbeats == [SECRET, SECRET]
    sagemaker.run(3600)
    schedule()
    deliver()
    deliver()
    output = json.loads(orchestrators.reports[SECRET]["output"])
    assert (output["state"], output["training_job"], output["status"]) == ("completed", "resnet-sq-1", "Completed")
    described = sagemaker.client().describe_training_job(TrainingJobName="resnet-sq-1")
    assert output["model_artifacts"] == described["ModelArtifacts"]["S3ModelArtifacts"]
    assert len(orchestrators.heartbeats) == 2


def test_a_cancelled_job_is_a_failure_with_its_reason(
    call: Call, deliver: Callable[[], None], orchestrators: Orchestrators
) -> None:
    call("POST", "/jobs", submission(task_token=SECRET))
    call("POST", "/jobs/resnet/cancel")
    deliver()
    report = orchestrators.reports[SECRET]
    assert report["error"] == "SageQueue.Stopped"
    assert json.loads(report["cause"])["reason"]["code"] == "cancelled"


def test_a_state_that_is_tried_again_gets_its_new_token_answered(
    call: Call, deliver: Callable[[], None], orchestrators: Orchestrators
) -> None:
    call("POST", "/jobs", submission(task_token=SECRET))
    orchestrators.waiting = {"second"}
    assert call("POST", "/jobs", submission(task_token="second"))[0] == 200
    deliver()
    assert orchestrators.heartbeats == ["second"]
    call("POST", "/jobs/resnet/cancel")
    deliver()
    assert orchestrators.reports.keys() == {"second"}


def test_no_answer_and_no_record_of_the_job_has_the_token(call: Call) -> None:
    answers = [
        call("POST", "/jobs", submission(task_token=SECRET)),
        call("POST", "/jobs", submission(task_token=SECRET)),
        call("POST", "/jobs", {**submission(), "on_end": SECRET}),
        call("POST", "/jobs", submission(task_token=f"{SECRET} ")),
        call("POST", "/jobs", submission(**{SECRET: "x"})),
        call("GET", "/jobs/resnet"),
        call("GET", "/jobs"),
        call("GET", "/jobs/resnet/why"),
        call("GET", "/queue"),
    ]
    assert [status for status, _ in answers] == [201, 200, 400, 400, 400, 200, 200, 200, 200]
    assert SECRET not in json.dumps(answers)
    assert [one["kind"] for one in answers[5][1]["callbacks"]] == ["task_token"]
    assert SECRET not in repr(shared.job_stores().jobs.get("resnet"))


def test_a_stranger_adds_no_callback_to_a_job(
    call: Call, deliver: Callable[[], None], orchestrators: Orchestrators
) -> None:
    call("PUT", "/config", {"callers": [{"who": ["*"], "may": ["submit"]}]}, caller="arn:aws:iam::000000000000:root")
    call("POST", "/jobs", submission())
    stranger = "arn:aws:sts::000000000000:assumed-role/Intern/eve"
    assert call("POST", "/jobs", submission(task_token=SECRET), caller=stranger)[0] == 409
    deliver()
    assert (orchestrators.heartbeats, orchestrators.reports) == ([], {})


def test_without_the_parameter_callbacks_are_refused(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALLBACKS", "off")
    shared.submissions.cache_clear()
    status, refused = call("POST", "/jobs", submission(task_token=SECRET))
    assert (status, refused["field"]) == (400, "on_end")
    assert "Callbacks=on" in refused["remedy"]
    assert call("POST", "/jobs", submission())[0] == 201
