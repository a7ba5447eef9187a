"""The trials of a tuning job, read from SageMaker."""

from typing import Any

import boto3
import pytest

from integration.sagequeue.fakes.aws import FakeAws, a_trial
from sagequeue.jobs.trials import read_trials
from scheduler.core.requests.redaction import shown_to_strangers
from support.builders.tuning_requests import a_definition
from unit.sagequeue.builders.tuning import a_preempted_tuning_job

TRIALS = {
    "sweep-sq-1": [
        a_trial("sweep-sq-1-1", value=0.5, rate="0.1", optimizer='"adam"'),
        a_trial("sweep-sq-1-2", value=0.75, rate="0.2"),
        a_trial("sweep-sq-1-3", "Stopped", rate="0.3"),
    ],
    "sweep-sq-2": [a_trial("sweep-sq-2-1", "Failed", rate="0.4"), a_trial("sweep-sq-2-2", "InProgress", rate="0.5")],
}


@pytest.fixture
def sagemaker(aws: FakeAws, session: boto3.Session) -> Any:
    aws.trials = TRIALS
    return session.client("sagemaker")


def test_the_trials_of_all_attempts_are_read_with_the_best_one(sagemaker: Any) -> None:
    found = read_trials(a_preempted_tuning_job(), sagemaker)
    assert (found["metric"], found["goal"], found["best"]) == ("accuracy", "Maximize", "sweep-sq-1-2")
    assert [trial["objective"] for trial in found["trials"]] == [0.5, 0.75, None, None, None]
    assert found["trials"][0]["chosen"] == {"rate": "0.1", "optimizer": "adam"}
    assert found["trials"][-1]["ended_at"] is None


def test_a_trial_that_a_preemption_stopped_still_remains(sagemaker: Any) -> None:
    assert read_trials(a_preempted_tuning_job(), sagemaker)["remaining"] == 6 - 2 - 1


def test_an_attempt_that_sagemaker_does_not_know_yet_has_no_trials(sagemaker: Any, aws: FakeAws) -> None:
    aws.trials = {"sweep-sq-1": TRIALS["sweep-sq-1"]}
    found = read_trials(a_preempted_tuning_job(), sagemaker)
    assert {trial["attempt"] for trial in found["trials"]} == {"sweep-sq-1"}


def test_definitions_with_different_objectives_have_no_best_trial(sagemaker: Any) -> None:
    job = a_preempted_tuning_job()
    objectives = [{"Type": "Minimize", "MetricName": metric} for metric in ("loss", "error")]
    job["request"]["TrainingJobDefinitions"] = [a_definition(TuningObjective=one) for one in objectives]
    found = read_trials(job, sagemaker)
    assert (found["metric"], found["goal"], found["best"]) == ("", "", None)


def test_the_trials_of_somebody_elses_job_have_no_best_one_because_its_objective_is_hidden(sagemaker: Any) -> None:
    job = a_preempted_tuning_job()
    found = read_trials({**job, "request": shown_to_strangers(job["request"])}, sagemaker)
    assert (found["metric"], found["goal"], found["best"]) == ("", "", None)
    assert len(found["trials"]) == 5
