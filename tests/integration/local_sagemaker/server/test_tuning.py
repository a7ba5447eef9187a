"""Tuning jobs behind real HTTP: their trials are processes, and their objective values come from the log."""

from typing import Any

import pytest

from integration.local_sagemaker.endpoint import BUCKET, Endpoint
from local_sagemaker.conformance.requests import a_tuning_request

METRICS = [{"Name": "accuracy", "Regex": "accuracy=([0-9.]+)"}]
# Prints the objective, which is best at a learning rate of 0.1.
SCRIPT = """
import sys
rate = float(sys.argv[sys.argv.index("--lr") + 1])
assert sys.argv.count("--epochs") == 1 and len(sys.argv) == 5, sys.argv
print(f"accuracy={1 - abs(rate - 0.1)}")
"""
# Prints a bad objective once a second if the rate is 2, else a good one, and ends.
RACE = """
import sys, time
rate = float(sys.argv[sys.argv.index("--lr") + 1])
for _ in range(600 if rate == 2 else 3):
    print(f"accuracy={0.9 if rate == 1 else 0.1}", flush=True)
    time.sleep(0.2)
"""


def a_request(endpoint: Endpoint, script: str, config: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    program = {"sagemaker_program": "train.py", "sagemaker_submit_directory": endpoint.upload_script(script)}
    definition = {
        "AlgorithmSpecification": {
            "TrainingImage": "image",
            "TrainingInputMode": "File",
            "MetricDefinitions": METRICS,
        },
        "OutputDataConfig": {"S3OutputPath": f"s3://{BUCKET}/out"},
        "StaticHyperParameters": {"epochs": "3", **program},
    }
    return a_tuning_request(config=config, definition=definition, **changes)


def wait_for(endpoint: Endpoint, status: str) -> list[dict[str, Any]]:
    """Waits for the event of the tuning job's status, and returns the details of all events until then."""
    seen = []
    while True:
        seen.append(endpoint.events.get(timeout=60)["detail"])
        if seen[-1].get("HyperParameterTuningJobStatus") == status:
            return seen


def test_each_trial_runs_the_script_and_the_best_one_wins(endpoint: Endpoint) -> None:
    endpoint.client.create_hyper_parameter_tuning_job(**a_request(endpoint, SCRIPT))
    events = wait_for(endpoint, "Completed")
    job = endpoint.client.describe_hyper_parameter_tuning_job(HyperParameterTuningJobName="search")
    trials = endpoint.client.list_training_jobs_for_hyper_parameter_tuning_job(HyperParameterTuningJobName="search")
    values = {
        trial["TrainingJobName"]: trial["FinalHyperParameterTuningJobObjectiveMetric"]["Value"]
        for trial in trials["TrainingJobSummaries"]
    }
    assert len(values) == 4
    assert job["BestTrainingJob"]["TrainingJobName"] == max(values, key=lambda name: values[name])
    for trial in trials["TrainingJobSummaries"]:
        rate = float(trial["TunedHyperParameters"]["lr"])
        assert values[trial["TrainingJobName"]] == pytest.approx(1 - abs(rate - 0.1))
        assert endpoint.log(trial["TrainingJobName"]) == [f"accuracy={1 - abs(rate - 0.1)}"]
    assert {event["TrainingJobName"] for event in events if event.get("SecondaryStatus") == "Completed"} == set(values)


def test_a_stop_ends_the_processes_of_all_trials(endpoint: Endpoint) -> None:
    request = a_request(endpoint, "import time; time.sleep(600)")
    endpoint.client.create_hyper_parameter_tuning_job(**request)
    training = 0
    while training < 2:
        training += endpoint.events.get(timeout=60)["detail"].get("SecondaryStatus") == "Training"
    endpoint.client.stop_hyper_parameter_tuning_job(HyperParameterTuningJobName="search")
    events = wait_for(endpoint, "Stopped")
    assert [event["SecondaryStatus"] for event in events if "SecondaryStatus" in event].count("Stopped") == 2


def test_early_stopping_reads_the_log_of_the_running_script(endpoint: Endpoint) -> None:
    ranges = {"CategoricalParameterRanges": [{"Name": "lr", "Values": ["1", "2"]}]}
    config = {
        "Strategy": "Grid",
        "ParameterRanges": ranges,
        "ResourceLimits": {"MaxParallelTrainingJobs": 1},
        "TrainingJobEarlyStoppingType": "Auto",
    }
    endpoint.client.create_hyper_parameter_tuning_job(**a_request(endpoint, RACE, config))
    wait_for(endpoint, "Completed")
    trials = endpoint.client.list_training_jobs_for_hyper_parameter_tuning_job(HyperParameterTuningJobName="search")
    assert [trial["TrainingJobStatus"] for trial in trials["TrainingJobSummaries"]] == ["Completed", "Stopped"]


def test_a_tuning_job_survives_a_restart_and_launches_its_other_trials(endpoint: Endpoint) -> None:
    limits = {"MaxNumberOfTrainingJobs": 2, "MaxParallelTrainingJobs": 1}
    script = "import os, sys, time\nif '-001-' in os.environ['TRAINING_JOB_NAME']: time.sleep(600)\n" + SCRIPT
    endpoint.client.create_hyper_parameter_tuning_job(**a_request(endpoint, script, {"ResourceLimits": limits}))
    while endpoint.events.get(timeout=60)["detail"].get("SecondaryStatus") != "Training":
        pass
    endpoint.stop()
    endpoint.start()
    wait_for(endpoint, "Completed")
    counters = endpoint.client.describe_hyper_parameter_tuning_job(HyperParameterTuningJobName="search")
    assert counters["TrainingJobStatusCounters"] == {
        "Completed": 1,
        "InProgress": 0,
        "RetryableError": 1,
        "NonRetryableError": 0,
        "Stopped": 0,
    }
