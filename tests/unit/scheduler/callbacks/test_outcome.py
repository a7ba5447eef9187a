"""The report about the end of a job."""

from dataclasses import replace

from scheduler.core.history.callbacks.callback import Callback, CallbackKind, OpenCallback
from scheduler.core.history.callbacks.outcome import outcome_of
from scheduler.core.jobs import transitions
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from support.builders.jobs import NOON, a_job, a_sighting, an_attempt

CALLBACK = Callback("resnet", CallbackKind.TASK_TOKEN, "secret", NOON)


def ended(status: str, **seen: object) -> Job:
    job = a_job(state=JobState.RUNNING, attempts=1)
    return transitions.end_attempt(job, an_attempt(job), a_sighting(status, ended_at=NOON, **seen), NOON)


def test_a_completed_job_reports_its_model_and_its_metrics() -> None:
    job = ended("Completed", model_artifacts="s3://models/resnet.tar.gz", metrics=(("loss", "0.25"),))
    outcome = outcome_of(OpenCallback(CALLBACK, job))
    assert outcome.is_success
    assert outcome.as_dict() == {
        "id": outcome.id,
        "job": "resnet",
        "state": "completed",
        "reason": {"code": "completed", "message": ""},
        "ended_at": "2026-11-21T12:00:00+00:00",
        "attempts": 1,
        "training_job": "resnet-sq-1",
        "status": "Completed",
        "secondary_status": "Training",
        "failure_reason": None,
        "failure_class": None,
        "model_artifacts": "s3://models/resnet.tar.gz",
        "metrics": {"loss": 0.25},
    }


def test_a_failed_job_reports_why() -> None:
    outcome = outcome_of(OpenCallback(CALLBACK, ended("Failed", failure_reason="AlgorithmError: disk full")))
    assert (outcome.is_success, outcome.state, outcome.failure_reason) == (False, "failed", "AlgorithmError: disk full")


def test_a_job_that_never_ran_has_no_training_job() -> None:
    reason = Reason(ReasonCode.CANCELLED, "cancelled by ada")
    outcome = outcome_of(OpenCallback(CALLBACK, a_job(state=JobState.STOPPED, reason=reason)))
    shown = outcome.as_dict()
    assert (shown["state"], shown["training_job"], shown["attempts"], shown["metrics"]) == ("stopped", None, 0, {})
    assert shown["reason"] == {"code": "cancelled", "message": "cancelled by ada"}


def test_a_job_whose_record_is_gone_is_reported_as_missing() -> None:
    outcome = outcome_of(OpenCallback(CALLBACK, None))
    assert (outcome.job, outcome.state, outcome.is_success) == ("resnet", "missing", False)


def test_an_end_keeps_its_id_when_the_record_changes_and_another_end_has_another() -> None:
    job = ended("Failed")
    first = outcome_of(OpenCallback(CALLBACK, job)).id
    assert outcome_of(OpenCallback(CALLBACK, replace(job, version=7))).id == first
    assert outcome_of(OpenCallback(replace(CALLBACK, address="other"), job)).id != first
    assert outcome_of(OpenCallback(CALLBACK, ended("Completed"))).id != first


def test_attempts_that_did_not_end_their_job_keep_no_results() -> None:
    preempted = ended("Failed", metrics=(("loss", "0.5"),), model_artifacts="s3://models/half")
    assert (preempted.status.history[-1].metrics, preempted.status.history[-1].model_artifacts) == ((), "")
