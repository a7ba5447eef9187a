from collections import Counter
from itertools import pairwise
from math import inf
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.conformance.requests import TUNING, a_definition, a_tuning_request
from local_sagemaker.simulation import Simulation, Workload
from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.capacity import Shortage
from local_sagemaker.state_machine.limits import Quotas
from unit.local_sagemaker.tuning_jobs import (
    a_simulation,
    described,
    run_to_the_end,
    stop,
    trains,
    trials,
)

COUNTERS = ("TrainingJobStatusCounters", "ObjectiveStatusCounters")


def live(simulation: Simulation) -> list[str]:
    return [name for name, job in simulation.machine.jobs.items() if not job.is_terminal]


def test_trials_are_training_jobs_of_their_own_names() -> None:
    simulation = a_simulation()
    first, second = (simulation.client().describe_training_job(TrainingJobName=name) for name in live(simulation))
    assert first["TrainingJobName"].startswith(f"{TUNING}-001-")
    assert second["TrainingJobName"].startswith(f"{TUNING}-002-")
    assert first["TuningJobArn"] == described(simulation)["HyperParameterTuningJobArn"]
    assert first["HyperParameters"].keys() == {"epochs", "lr", "_tuning_objective_metric"}
    assert first["HyperParameters"] != second["HyperParameters"]


def test_as_many_trials_run_at_once_as_allowed_until_all_are_launched() -> None:
    simulation = a_simulation()
    seen = []
    while described(simulation)["HyperParameterTuningJobStatus"] == "InProgress":
        seen.append(len(live(simulation)))
        simulation.run(60)
    assert max(seen) == 2
    assert len(trials(simulation)) == 4


def test_a_completed_job_names_its_best_trial_and_counts_all() -> None:
    done = run_to_the_end(a_simulation())
    assert done["HyperParameterTuningJobStatus"] == "Completed"
    assert [done[name] for name in COUNTERS] == [
        {"Completed": 4, "InProgress": 0, "RetryableError": 0, "NonRetryableError": 0, "Stopped": 0},
        {"Succeeded": 4, "Pending": 0, "Failed": 0},
    ]
    best = done["BestTrainingJob"]
    assert best["FinalHyperParameterTuningJobObjectiveMetric"]["Value"] == pytest.approx(
        1 - abs(float(best["TunedHyperParameters"]["lr"]) - 0.1)
    )
    assert done["ConsumedResources"]["RuntimeInSeconds"] == 2 * 750


@pytest.mark.parametrize(("kind", "wanted"), [("Maximize", max), ("Minimize", min)])
def test_the_best_trial_has_the_best_value(kind: str, wanted: Any) -> None:
    objective = {"Type": kind, "MetricName": "accuracy"}
    simulation = a_simulation(config={"HyperParameterTuningJobObjective": objective})
    best = run_to_the_end(simulation)["BestTrainingJob"]["FinalHyperParameterTuningJobObjectiveMetric"]["Value"]
    values = [trial["FinalHyperParameterTuningJobObjectiveMetric"]["Value"] for trial in trials(simulation)]
    assert best == wanted(values)


def test_a_stopped_job_is_stopped_when_its_last_trial_has_ended() -> None:
    simulation = a_simulation(trains(3600))
    simulation.run(300)
    _first, second = live(simulation)
    simulation.machine.hang(second)
    stop(simulation)
    simulation.run(600)
    assert described(simulation)["HyperParameterTuningJobStatus"] == "Stopping"
    assert live(simulation) == [second]
    simulation.machine.release(second, simulation.now)
    simulation.run(600)
    done = described(simulation)
    assert done["HyperParameterTuningJobStatus"] == "Stopped"
    assert done["TrainingJobStatusCounters"]["Stopped"] == 2
    assert len(trials(simulation)) == 2


def test_a_job_can_be_stopped_before_its_trials_have_instances() -> None:
    simulation = a_simulation()
    stop(simulation)
    simulation.run(1)
    assert described(simulation)["HyperParameterTuningJobStatus"] == "Stopped"


def test_a_second_stop_succeeds_or_not() -> None:
    simulation = a_simulation(trains(3600))
    simulation.run(300)
    stop(simulation)
    stop(simulation)
    simulation.machine.set_unknowns(Unknowns(refuses_second_stop=True))
    with pytest.raises(ClientError, match="is in status Stopping"):
        stop(simulation)


def test_a_trial_stopped_by_a_person_is_replaced_by_the_next() -> None:
    simulation = a_simulation()
    simulation.run(300)
    simulation.client().stop_training_job(TrainingJobName=live(simulation)[0])
    done = run_to_the_end(simulation)
    assert done["HyperParameterTuningJobStatus"] == "Completed"
    assert done["TrainingJobStatusCounters"] == {
        "Completed": 3,
        "InProgress": 0,
        "RetryableError": 0,
        "NonRetryableError": 0,
        "Stopped": 1,
    }


def test_failures_are_counted_by_whether_they_can_be_retried() -> None:
    limits = {"MaxNumberOfTrainingJobs": 3, "MaxParallelTrainingJobs": 3}
    simulation = a_simulation(config={"ResourceLimits": limits})
    simulation.run(300)
    first, second, _ = live(simulation)
    simulation.fail(first, "CapacityError: none")
    simulation.fail(second, "ClientError: a mistake")
    counters = run_to_the_end(simulation)["TrainingJobStatusCounters"]
    assert (counters["RetryableError"], counters["NonRetryableError"], counters["Completed"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("workload", "reason"),
    [
        (Workload(exit_code=1), "No training job succeeded after 5 attempts."),
        (Workload(), "No objective metrics found after running 5 training jobs."),
    ],
    ids=["failed", "without a value"],
)
def test_a_job_fails_after_five_trials_without_success(workload: Workload, reason: str) -> None:
    limits = {"MaxNumberOfTrainingJobs": 20, "MaxParallelTrainingJobs": 1}
    done = run_to_the_end(a_simulation(lambda _: workload, config={"ResourceLimits": limits}))
    assert done["HyperParameterTuningJobStatus"] == "Failed"
    assert done["FailureReason"].startswith(reason)


def test_the_limit_of_time_stops_the_running_trials() -> None:
    limits = {"MaxNumberOfTrainingJobs": 100, "MaxParallelTrainingJobs": 2, "MaxRuntimeInSeconds": 1000}
    simulation = a_simulation(config={"ResourceLimits": limits})
    done = run_to_the_end(simulation)
    assert done["HyperParameterTuningJobStatus"] == "Completed"
    assert Counter(trial["TrainingJobStatus"] for trial in trials(simulation)) == {"Completed": 2, "Stopped": 2}


def test_trials_wait_for_the_quota_of_the_account() -> None:
    behaviour = Behaviour(rate_factor=1000, quotas=Quotas(on_demand={"ml.m5.large": 1}))
    simulation = a_simulation(behaviour=behaviour)
    assert len(live(simulation)) == 1
    for _ in range(30):
        assert simulation.machine.held_instances()["ml.m5.large"] <= 1
        simulation.run(100)
    assert run_to_the_end(simulation)["TrainingJobStatusCounters"]["Completed"] == 4


def test_a_trial_takes_its_first_instance_configuration_within_the_quotas() -> None:
    behaviour = Behaviour(rate_factor=1000, quotas=Quotas(on_demand={"ml.m5.xlarge": 1}))
    choices = [
        {"InstanceType": name, "InstanceCount": 1, "VolumeSizeInGB": 1} for name in ("ml.m5.xlarge", "ml.c5.xlarge")
    ]
    definition = a_definition(HyperParameterTuningResourceConfig={"InstanceConfigs": choices})
    del definition["ResourceConfig"]
    simulation = a_simulation(behaviour=behaviour, TrainingJobDefinition=definition)
    assert simulation.machine.held_instances() == {"ml.m5.xlarge": 1, "ml.c5.xlarge": 1}


def test_a_shortage_of_instances_delays_trials() -> None:
    simulation = a_simulation()
    simulation.machine.set_shortage("ml.m5.large", Shortage(back_at=inf), simulation.now)
    simulation.run(3600)
    assert described(simulation)["TrainingJobStatusCounters"]["InProgress"] == 2
    stop(simulation)
    simulation.run(1)
    assert described(simulation)["HyperParameterTuningJobStatus"] == "Stopped"


def test_several_definitions_take_turns() -> None:
    request = a_tuning_request()
    config = request["HyperParameterTuningJobConfig"]
    parts = {
        "TuningObjective": config.pop("HyperParameterTuningJobObjective"),
        "HyperParameterRanges": config.pop("ParameterRanges"),
    }
    request["TrainingJobDefinitions"] = [
        a_definition(DefinitionName=name, RoleArn=f"arn:aws:iam::000000000000:role/{name}", **parts) for name in "ab"
    ]
    del request["TrainingJobDefinition"]
    simulation = Simulation(trains(), behaviour=Behaviour(rate_factor=1000))
    simulation.client().create_hyper_parameter_tuning_job(**request)
    run_to_the_end(simulation)
    assert [trial["TrainingJobDefinitionName"] for trial in trials(simulation)] == ["a", "b", "a", "b"]
    roles = {job.request["RoleArn"] for job in simulation.machine.jobs.values()}
    assert roles == {f"arn:aws:iam::000000000000:role/{name}" for name in "ab"}


def test_trials_have_the_tags_and_checkpoint_folders_of_their_own() -> None:
    simulation = a_simulation(
        definition={"CheckpointConfig": {"S3Uri": "s3://bucket/checkpoints/"}}, Tags=[{"Key": "team", "Value": "a"}]
    )
    first = live(simulation)[0]
    job = simulation.client().describe_training_job(TrainingJobName=first)
    assert job["CheckpointConfig"]["S3Uri"] == f"s3://bucket/checkpoints/{first}"
    for arn in (job["TrainingJobArn"], job["TuningJobArn"]):
        assert simulation.client().list_tags(ResourceArn=arn)["Tags"] == [{"Key": "team", "Value": "a"}]


def test_events_tell_of_each_status_after_those_of_the_trials() -> None:
    simulation = a_simulation(trains(3600))
    simulation.run(300)
    stop(simulation)
    simulation.run(600)
    of_job = [event for event in simulation.events if "HyperParameter" in event["detail-type"]]
    assert {event["detail-type"] for event in of_job} == {"SageMaker HyperParameter Tuning Job State Change"}
    assert [event["detail"]["HyperParameterTuningJobStatus"] for event in of_job] == [
        "InProgress",
        "Stopping",
        "Stopped",
    ]
    assert of_job[0]["resources"] == [described(simulation)["HyperParameterTuningJobArn"]]
    assert simulation.events[-1] == of_job[-1]
    assert all(first["time"] <= second["time"] for first, second in pairwise(simulation.events))


def test_a_trial_starts_at_the_end_of_another() -> None:
    """A trial starts when another one ends, even if nothing asked the emulator in between."""
    simulation = a_simulation()
    simulation.run(86_400)
    times = sorted((job.created_at, job.ended_at) for job in simulation.machine.jobs.values())
    assert [created for created, _ in times[2:]] == [ended for _, ended in times[:2]]


def test_a_deleted_job_leaves_its_trials() -> None:
    simulation = a_simulation()
    with pytest.raises(ClientError, match="is in status InProgress"):
        simulation.client().delete_hyper_parameter_tuning_job(HyperParameterTuningJobName=TUNING)
    run_to_the_end(simulation)
    simulation.client().delete_hyper_parameter_tuning_job(HyperParameterTuningJobName=TUNING)
    with pytest.raises(ClientError, match="ResourceNotFound"):
        described(simulation)
    assert len(simulation.machine.jobs) == 4
