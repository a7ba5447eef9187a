# This environment has no Airflow.
# mypy: disable-error-code="import-not-found"
"""The provider's operator, trigger, sensor and hook, in Airflow's own classes, against the fake queue."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from airflow.providers_manager import ProvidersManager
from airflow.sdk import Connection
from airflow.sdk.exceptions import AirflowException, TaskDeferred
from airflow.sdk.providers_manager_runtime import ProvidersManagerTaskRuntime
from airflow.triggers.base import TriggerEvent
from sagequeue_airflow.hooks import SageQueueHook
from sagequeue_airflow.operators import SageQueueTrainingOperator
from sagequeue_airflow.sensors import SageQueueJobSensor
from sagequeue_airflow.triggers import JobEndTrigger

from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue.errors import NameTaken, NameUsed, UnknownJob
from unit.sagequeue.builders.costs import a_job_cost
from unit.sagequeue.builders.jobs import a_job, a_request, an_attempt

RUNNING = a_job("running", "running", attempts=[an_attempt(1)])
COMPLETED = a_job(
    "completed",
    "completed",
    attempts=[an_attempt(1, "completed")],
    cost=a_job_cost(),
    model_artifacts="s3://models/model.tar.gz",
    metrics={"accuracy": 0.97},
)
FAILED = a_job("failed", "failed", "AlgorithmError", attempts=[an_attempt(1, "failed")])
RESULT = {
    "job": "resnet",
    "state": "completed",
    "reason": "because of completed",
    "training_job": "resnet-sq-1",
    "model_artifacts": "s3://models/model.tar.gz",
    "metrics": {"accuracy": 0.97},
    "dollars": 12.3,
}


def operator(**changes: Any) -> SageQueueTrainingOperator:
    return SageQueueTrainingOperator(task_id="train", request=a_request(), poll_interval=0, **changes)


def deferred_by(task: Any) -> JobEndTrigger:
    with pytest.raises(TaskDeferred) as found:
        task.execute({})
    assert found.value.method_name == "execute_complete"
    path, arguments = found.value.trigger.serialize()  # Airflow stores these, and builds the trigger again
    assert path == "sagequeue_airflow.triggers.JobEndTrigger"
    return JobEndTrigger(**arguments)


@pytest.mark.parametrize(
    ("task", "limit"),
    [
        (operator(execution_timeout=timedelta(hours=2)), timedelta(hours=2)),
        (operator(), None),
        (SageQueueJobSensor(task_id="wait", job_name="resnet", timeout=60), timedelta(minutes=1)),
    ],
    ids=["operator", "operator without a timeout", "sensor"],
)
def test_a_deferred_task_ends_at_its_timeout(queue: FakeQueue, task: Any, limit: timedelta | None) -> None:
    queue.life = [RUNNING]
    queue.requests["resnet"] = a_request()
    with pytest.raises(TaskDeferred) as found:
        task.execute({})
    assert found.value.timeout == limit


def event_of(trigger: JobEndTrigger) -> dict[str, Any]:
    async def first() -> TriggerEvent:
        return await anext(aiter(trigger.run()))

    payload: dict[str, Any] = asyncio.run(first()).payload
    return payload


def test_airflow_finds_the_provider_and_its_connection() -> None:
    manager = ProvidersManager()
    assert manager.providers["airflow-provider-sagequeue"].version == "0.2.0"
    hook = ProvidersManagerTaskRuntime().hooks["sagequeue"]
    assert hook is not None
    assert (hook.connection_type, hook.hook_class_name) == ("sagequeue", "sagequeue_airflow.hooks.SageQueueHook")


def test_a_deferred_task_returns_model_metrics_and_cost(queue: FakeQueue) -> None:
    queue.life = [RUNNING]
    task = operator(job_options={"priority": 5})
    trigger = deferred_by(task)
    assert (list(queue.requests), queue.options) == (["resnet"], {"resnet": {"priority": 5}})
    queue.life = [COMPLETED]
    assert task.execute_complete({}, event_of(trigger)) == RESULT


def test_a_task_that_waits_on_a_worker_returns_the_same(queue: FakeQueue) -> None:
    queue.life = [COMPLETED]
    assert operator(deferrable=False).execute({}) == RESULT


def test_a_failed_job_fails_the_task_with_its_reason(queue: FakeQueue) -> None:
    queue.life = [FAILED]
    with pytest.raises(AirflowException, match="The job resnet is failed: AlgorithmError"):
        operator().execute({})


def test_a_task_that_runs_again_continues_with_its_job(queue: FakeQueue) -> None:
    queue.life = [RUNNING]
    deferred_by(operator())
    deferred_by(operator())
    assert list(queue.requests) == ["resnet"]
    queue.life = [COMPLETED]
    assert operator().execute({}) == RESULT
    assert not [call for call in queue.calls if call.path.endswith("/requeue")]


def test_a_retry_requeues_a_failed_job_whose_request_has_defaults_of_rules(queue: FakeQueue) -> None:
    queue.added_by_rules = {"Tags": [{"Key": "team", "Value": "vision"}]}
    queue.life = [RUNNING]
    deferred_by(operator())
    queue.life = [FAILED]
    with pytest.raises(AirflowException):
        operator().execute({})
    assert [call.path for call in queue.calls if call.path.endswith("/requeue")] == ["/jobs/resnet/requeue"]


def test_a_task_that_was_cleared_requeues_its_job_once_the_cancelled_attempt_has_stopped(queue: FakeQueue) -> None:
    queue.life = [RUNNING]
    deferred_by(operator())
    queue.calls.clear()
    queue.life = [a_job("stopping", "cancelled", attempts=[an_attempt(1)])]
    stopped = a_job("stopped", "cancelled", attempts=[an_attempt(1, "stopped")])
    queue.overtaking = [
        lambda: None,
        lambda: setattr(queue, "life", [stopped]),
        lambda: setattr(queue, "life", [a_job("pending", "requeued")]),
    ]
    deferred_by(operator())
    submission, *polls, _read_by_requeue, requeue = [call.path for call in queue.calls]
    assert (submission, requeue) == ("/add-job", "/jobs/resnet/requeue")
    assert polls == ["/jobs/resnet", "/jobs/resnet"]


def test_a_task_does_not_wait_for_a_job_that_is_stopped_to_run_again(queue: FakeQueue) -> None:
    queue.life = [a_job("stopping", "preempted", attempts=[an_attempt(1)])]
    deferred_by(operator())
    assert len(queue.calls) == 1


def test_a_job_with_another_request_is_not_taken_for_the_tasks(queue: FakeQueue) -> None:
    queue.life = [RUNNING]
    deferred_by(operator())
    other = SageQueueTrainingOperator(task_id="other", request=a_request() | {"HyperParameters": {"a": "1"}})
    with pytest.raises(NameTaken):
        other.execute({})


def test_the_ended_job_of_somebody_else_is_not_taken_for_the_tasks(queue: FakeQueue) -> None:
    queue.life = [RUNNING]
    deferred_by(operator())
    queue.life = [FAILED]
    queue.of_others.add("resnet")
    with pytest.raises(NameUsed):
        operator().execute({})


def test_a_deferred_task_that_a_user_stops_cancels_its_job(queue: FakeQueue) -> None:
    queue.life = [RUNNING]
    trigger = deferred_by(operator())
    asyncio.run(trigger.on_kill())
    assert queue.cancelled == {"resnet"}


def test_a_waiting_task_that_a_user_stops_cancels_its_job(queue: FakeQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    queue.life = [RUNNING]
    task = operator(deferrable=False)

    def killed(_seconds: float) -> None:
        task.on_kill()
        raise KeyboardInterrupt

    monkeypatch.setattr("sagequeue.jobs.polling.time.sleep", killed)
    with pytest.raises(KeyboardInterrupt):
        task.execute({})
    assert queue.cancelled == {"resnet"}


def test_a_job_that_has_ended_needs_no_cancel(queue: FakeQueue) -> None:
    queue.life = [RUNNING]
    trigger = deferred_by(operator())
    queue.life = [COMPLETED]
    asyncio.run(trigger.on_kill())
    assert not queue.cancelled


@pytest.mark.parametrize("kill", ["trigger", "worker"])
def test_jobs_outlive_a_task_that_does_not_cancel(queue: FakeQueue, kill: str) -> None:
    queue.life = [RUNNING]
    task = operator(cancel_on_kill=False)
    trigger = deferred_by(task)
    if kill == "trigger":
        asyncio.run(trigger.on_kill())
    else:
        task.on_kill()
    assert not queue.cancelled


def test_a_trigger_asks_again_if_the_queue_does_not_answer(queue: FakeQueue) -> None:
    queue.life = [RUNNING]
    trigger = deferred_by(operator())
    queue.life = [COMPLETED]
    queue.faults = [(503, {"message": "Service Unavailable"})] * 12
    assert event_of(trigger)["state"] == "completed"


def test_a_task_on_a_worker_asks_again_if_the_queue_does_not_answer(queue: FakeQueue) -> None:
    queue.life = [RUNNING]

    def lose() -> None:
        queue.life = [COMPLETED]
        queue.faults = [(503, {"message": "Service Unavailable"})] * 12

    queue.overtaking = [lambda: None, lose]
    assert operator(deferrable=False).execute({}) == RESULT


def test_a_sensor_waits_for_the_job_of_somebody_else_and_never_cancels_it(queue: FakeQueue) -> None:
    queue.life = [RUNNING]
    queue.requests["resnet"] = a_request()
    trigger = deferred_by(SageQueueJobSensor(task_id="wait", job_name="resnet", poke_interval=0))
    asyncio.run(trigger.on_kill())
    assert not queue.cancelled
    poking = SageQueueJobSensor(task_id="poke", job_name="resnet", deferrable=False)
    assert not poking.poke({}).is_done
    queue.life = [COMPLETED]
    assert poking.poke({}).xcom_value == event_of(trigger) == RESULT
    queue.life = [FAILED]
    with pytest.raises(AirflowException, match="AlgorithmError"):
        poking.poke({})


def test_a_sensor_of_an_unknown_job_fails(queue: FakeQueue) -> None:
    with pytest.raises(UnknownJob):
        SageQueueJobSensor(task_id="poke", job_name="nobody", deferrable=False).poke({})


@pytest.mark.parametrize("form", ["host", "uri"])
def test_a_connection_names_the_queue(queue: FakeQueue, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    import os

    url = os.environ["SAGEQUEUE_API_URL"]
    monkeypatch.delenv("SAGEQUEUE_API_URL")
    whole = Connection(conn_id="c", conn_type="sagequeue", host=url, extra='{"region_name": "eu-central-1"}')
    host, port = url.removeprefix("http://").split(":")
    parts = Connection(conn_id="c", conn_type="sagequeue", host=host, port=int(port), schema="http")
    monkeypatch.setattr(SageQueueHook, "get_connection", lambda *_: whole if form == "host" else parts)
    found = SageQueueHook("c").queue
    assert found.api_url == url
    assert found.session.region_name == ("eu-central-1" if form == "host" else "eu-west-1")
    assert found.queue()["intake_open"]


@pytest.mark.parametrize(
    ("uri", "url"),
    [
        (
            "sagequeue://https://abc.execute-api.eu-west-1.amazonaws.com/v1",
            "https://abc.execute-api.eu-west-1.amazonaws.com/v1",
        ),
        (
            "sagequeue://abc.execute-api.eu-west-1.amazonaws.com/v1",
            "https://abc.execute-api.eu-west-1.amazonaws.com/v1",
        ),
        ("sagequeue://queue.example.org", "https://queue.example.org"),
        ("sagequeue://http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("sagequeue://127.0.0.1:8080/http", "http://127.0.0.1:8080"),
        ("sagequeue://https%3A%2F%2Fqueue.example.org%2Fv1", "https://queue.example.org/v1"),
    ],
)
def test_a_uri_names_the_queue_with_its_stage(monkeypatch: pytest.MonkeyPatch, uri: str, url: str) -> None:
    monkeypatch.setenv("AIRFLOW_CONN_QUEUE", uri)
    assert SageQueueHook("queue").queue.api_url == url
