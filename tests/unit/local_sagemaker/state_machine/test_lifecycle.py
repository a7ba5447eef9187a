from dataclasses import replace

from local_sagemaker.api.operations import call_operation
from local_sagemaker.conformance.requests import NAME, a_request, spot
from local_sagemaker.simulation import Simulation, Workload
from local_sagemaker.state_machine.lifecycle import CAPACITY_ERROR, INTERNAL_ERROR
from local_sagemaker.state_machine.machine import StateMachine
from unit.local_sagemaker.situations import PATIENT, a_job_that_is, secondary_statuses

WAITING = replace(PATIENT, startup=lambda _request: None)


def describe(simulation: Simulation) -> dict[str, object]:
    return {**simulation.client().describe_training_job(TrainingJobName=NAME)}


def test_a_job_passes_through_the_statuses_of_a_real_job() -> None:
    simulation = a_job_that_is("completed")
    job = simulation.machine.jobs[NAME]
    assert [(transition.status.value, transition.message) for transition in job.transitions] == [
        ("Starting", "Preparing the instances for training"),
        ("Downloading", "Downloading the training image"),
        ("Training", "Training image download completed. Training in progress."),
        ("Uploading", "Uploading generated training model"),
        ("Completed", "Training job completed"),
    ]
    assert [transition.end for transition in job.transitions[:-1]] == [after.start for after in job.transitions[1:]]


def test_training_start_time_is_absent_until_the_job_has_instances() -> None:
    assert "TrainingStartTime" not in describe(a_job_that_is("starting"))
    assert "TrainingStartTime" in describe(a_job_that_is("downloading"))


def test_model_artifacts_are_shown_at_the_end_only() -> None:
    assert "ModelArtifacts" not in describe(a_job_that_is("uploading"))
    assert describe(a_job_that_is("completed"))["ModelArtifacts"] == {
        "S3ModelArtifacts": f"s3://bucket/out/{NAME}/output/model.tar.gz"
    }


def test_billable_time_is_the_time_on_instances() -> None:
    description = describe(a_job_that_is("completed"))
    assert (description["TrainingTimeInSeconds"], description["BillableTimeInSeconds"]) == (690, 690)


def test_tags_and_session_chaining_are_not_described() -> None:
    request = a_request(Tags=[{"Key": "a", "Value": "b"}], SessionChainingConfig={"EnableSessionTagChaining": True})
    assert not {"Tags", "SessionChainingConfig"} & describe(a_job_that_is("training", request)).keys()


def test_a_stopped_job_uploads_before_it_is_stopped() -> None:
    assert secondary_statuses(a_job_that_is("stopped"))[-3:] == ["Stopping", "Uploading", "Stopped"]


def test_a_job_stopped_before_it_had_instances_costs_nothing() -> None:
    simulation = a_job_that_is("starting")
    simulation.client().stop_training_job(TrainingJobName=NAME)
    simulation.run(1)
    description = describe(simulation)
    assert description["TrainingJobStatus"] == "Stopped"
    assert not {"TrainingStartTime", "BillableTimeInSeconds", "ModelArtifacts"} & description.keys()


def test_a_job_that_ignores_sigterm_is_killed_after_120_seconds() -> None:
    simulation = Simulation(lambda _: Workload(heeds_stop_after=None, uploads=0), behaviour=PATIENT)
    client = simulation.client()
    client.create_training_job(**a_request())
    simulation.run(300)
    client.stop_training_job(TrainingJobName=NAME)
    simulation.run(119)
    assert secondary_statuses(simulation)[-1] == "Stopping"
    simulation.run(1)
    assert secondary_statuses(simulation)[-1] == "Stopped"


def test_a_job_is_stopped_when_its_run_time_is_over() -> None:
    simulation = a_job_that_is("starting", a_request(StoppingCondition={"MaxRuntimeInSeconds": 100}))
    simulation.run(200)
    description = describe(simulation)
    assert (description["TrainingJobStatus"], description["SecondaryStatus"]) == ("Stopped", "MaxRuntimeExceeded")


def test_a_spot_job_is_stopped_when_its_waiting_time_is_over() -> None:
    simulation = a_job_that_is("starting", spot(), WAITING)
    simulation.run(7201)
    assert secondary_statuses(simulation) == ["Starting", "Pending", "Stopping", "MaxWaitTimeExceeded"]


def test_a_waiting_job_starts_when_capacity_comes() -> None:
    simulation = a_job_that_is("starting", behaviour=WAITING)
    simulation.run(86_400)
    simulation.provision(NAME)
    assert secondary_statuses(simulation) == ["Starting", "Pending", "Downloading"]


def test_the_failure_reason_of_a_script_has_at_most_1024_characters() -> None:
    simulation = Simulation(lambda _: Workload(exit_code=3, message="x" * 5000 + "the end"), behaviour=PATIENT)
    simulation.client().create_training_job(**a_request())
    simulation.run(1000)
    reason = str(describe(simulation)["FailureReason"])
    assert reason.startswith('AlgorithmError: ExecuteUserScriptError:\nExitCode 3\nErrorMessage "')
    assert reason.endswith('the end"')
    assert len(reason) == 1024


def test_an_internal_error_fails_the_job() -> None:
    assert describe(a_job_that_is("broken"))["FailureReason"] == INTERNAL_ERROR


def test_an_internal_error_starts_a_job_with_retries_again_without_a_failed_state() -> None:
    simulation = a_job_that_is("broken", a_request(RetryStrategy={"MaximumRetryAttempts": 1}))
    assert secondary_statuses(simulation) == ["Starting", "Downloading", "Training", "Starting"]
    simulation.run(1000)
    assert secondary_statuses(simulation)[-1] == "Completed"


def test_work_before_an_internal_error_has_no_effect_later() -> None:
    slow = replace(PATIENT, startup=lambda _request: 1000)
    simulation = Simulation(behaviour=slow)
    simulation.client().create_training_job(**a_request(RetryStrategy={"MaximumRetryAttempts": 1}))
    simulation.run(1100)
    simulation.fail(NAME, INTERNAL_ERROR)
    simulation.run(900)  # the first run would have ended meanwhile
    assert secondary_statuses(simulation) == ["Starting", "Downloading", "Training", "Starting"]


def test_late_lack_of_capacity_fails_the_job() -> None:
    simulation = a_job_that_is("starting", behaviour=WAITING)
    simulation.fail(NAME, CAPACITY_ERROR)
    assert describe(simulation)["FailureReason"] == CAPACITY_ERROR


def test_a_spot_interruption_restarts_the_same_job() -> None:
    simulation = a_job_that_is("training", spot())
    simulation.interrupt(NAME)
    simulation.run(1000)
    assert secondary_statuses(simulation) == [
        "Starting", "Downloading", "Training", "Interrupted",
        "Starting", "Downloading", "Training", "Uploading", "Completed",
    ]  # fmt: skip


def test_a_job_that_starts_again_may_be_pending_as_long_as_at_first() -> None:
    limit = {"MaxRuntimeInSeconds": 3600, "MaxPendingTimeInSeconds": 1800}
    slow = replace(PATIENT, startup=lambda _request: 1500)
    request = a_request(StoppingCondition=limit, RetryStrategy={"MaximumRetryAttempts": 1})
    simulation = a_job_that_is("starting", request, slow)
    simulation.run(1600)
    simulation.fail(NAME, INTERNAL_ERROR)
    simulation.run(1600)
    assert secondary_statuses(simulation) == ["Starting", "Downloading", "Training"] * 2


def test_an_interrupted_job_repeats_all_its_training() -> None:
    simulation = a_job_that_is("training", spot())
    simulation.interrupt(NAME)
    simulation.run(60 + 60 + 599)
    assert secondary_statuses(simulation)[-1] == "Training"
    simulation.run(1)
    assert secondary_statuses(simulation)[-1] == "Uploading"


def test_a_call_sees_the_changes_that_were_due_before() -> None:
    machine = StateMachine(PATIENT)
    call_operation(machine, "CreateTrainingJob", a_request(), 1000)
    description = call_operation(machine, "DescribeTrainingJob", {"TrainingJobName": NAME}, 1100)
    assert description["TrainingStartTime"] == 1060


def test_a_job_can_be_created_again_after_it_was_deleted() -> None:
    client = a_job_that_is("completed").client()
    client.delete_training_job(TrainingJobName=NAME)
    assert client.create_training_job(**a_request())["TrainingJobArn"]
