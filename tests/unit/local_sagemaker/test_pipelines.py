"""The emulator runs pipelines of callback steps: messages, ends, limits and repeated reports."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError, ParamValidationError

from local_sagemaker.simulation import Simulation

ROLE = "arn:aws:iam::000000000000:role/SageMakerLocalRole"
QUEUE_URL = "https://sqs.us-east-1.amazonaws.com/000000000000/steps"
ID = "a" * 32  # a ClientRequestToken


def a_step(name: str, **changes: Any) -> dict[str, Any]:
    return {"Name": name, "Type": "Callback", "Arguments": {}, "SqsQueueUrl": QUEUE_URL, **changes}


TRAIN = a_step("Train", Arguments={"epochs": {"Get": "Parameters.Epochs"}})
ACCURACY = {"Get": "Steps.Train.OutputParameters['accuracy']"}
TELL = a_step("Tell", Arguments={"text": {"Std:Join": {"On": " ", "Values": ["accuracy", ACCURACY]}}})
EPOCHS = {"Name": "Epochs", "Type": "Integer", "DefaultValue": 3}


@pytest.fixture
def simulation() -> Simulation:
    return Simulation()


def started(simulation: Simulation, *steps: dict[str, Any], epochs: str = "4") -> str:
    """Returns the ARN of the execution. botocore makes the ClientRequestToken of each call."""
    definition = {"Version": "2020-12-01", "Parameters": [EPOCHS], "Steps": steps}
    client = untyped_client(simulation)
    client.create_pipeline(PipelineName="nightly", RoleArn=ROLE, PipelineDefinition=json.dumps(definition))
    given = [{"Name": "Epochs", "Value": epochs}]
    answer = client.start_pipeline_execution(PipelineName="nightly", PipelineParameters=given)
    simulation.run(0)
    return str(answer["PipelineExecutionArn"])


def untyped_client(simulation: Simulation) -> Any:
    """Returns a client whose calls may omit the ClientRequestToken."""
    return simulation.client()


def messages(simulation: Simulation) -> list[dict[str, Any]]:
    return [json.loads(message.body) for message in simulation.messages]


def status(simulation: Simulation, execution: str) -> str:
    return simulation.client().describe_pipeline_execution(PipelineExecutionArn=execution)["PipelineExecutionStatus"]


def test_a_step_gets_outputs_of_an_earlier_step(simulation: Simulation) -> None:
    execution = started(simulation, TRAIN, TELL)
    (first,) = messages(simulation)
    assert first == {
        "token": first["token"],
        "pipelineExecutionArn": execution,
        "arguments": {"epochs": 4},
        "status": "Executing",
    }
    client = simulation.client()
    outputs: Any = [{"Name": "accuracy", "Value": "0.9"}]
    client.send_pipeline_execution_step_success(CallbackToken=first["token"], OutputParameters=outputs)
    simulation.run(0)
    _, second = messages(simulation)
    assert second["arguments"] == {"text": "accuracy 0.9"}
    assert status(simulation, execution) == "Executing"
    client.send_pipeline_execution_step_success(CallbackToken=second["token"])
    assert status(simulation, execution) == "Succeeded"
    steps = client.list_pipeline_execution_steps(PipelineExecutionArn=execution)["PipelineExecutionSteps"]
    assert [(step["StepName"], step["StepStatus"]) for step in steps] == [("Tell", "Succeeded"), ("Train", "Succeeded")]
    assert steps[1]["Metadata"]["Callback"]["OutputParameters"] == outputs


def test_a_failed_step_fails_the_execution_and_starts_no_other(simulation: Simulation) -> None:
    execution = started(simulation, TRAIN, TELL)
    (message,) = messages(simulation)
    simulation.client().send_pipeline_execution_step_failure(CallbackToken=message["token"], FailureReason="no luck")
    simulation.run(0)
    answer = simulation.client().describe_pipeline_execution(PipelineExecutionArn=execution)
    assert (answer["PipelineExecutionStatus"], answer["FailureReason"]) == ("Failed", "no luck")
    assert len(messages(simulation)) == 1


def test_a_stopped_execution_waits_for_its_running_step_and_starts_no_other(simulation: Simulation) -> None:
    execution, client = started(simulation, TRAIN, TELL), untyped_client(simulation)
    for _ in range(2):  # a repeated call changes nothing
        client.stop_pipeline_execution(PipelineExecutionArn=execution)
        simulation.run(0)
    first, second = messages(simulation)
    assert second == {**first, "status": "Stopping"}
    assert status(simulation, execution) == "Stopping"
    client.send_pipeline_execution_step_success(
        CallbackToken=first["token"], OutputParameters=[{"Name": "accuracy", "Value": "0.9"}]
    )
    simulation.run(0)
    assert status(simulation, execution) == "Stopped"
    assert len(messages(simulation)) == 2


def test_an_execution_that_has_ended_cannot_be_stopped(simulation: Simulation) -> None:
    execution, client = started(simulation, TRAIN), untyped_client(simulation)
    client.send_pipeline_execution_step_success(CallbackToken=messages(simulation)[0]["token"])
    with pytest.raises(ClientError, match="The execution has ended: Succeeded"):
        client.stop_pipeline_execution(PipelineExecutionArn=execution)


def test_a_step_without_a_value_that_it_needs_fails(simulation: Simulation) -> None:
    execution = started(simulation, TRAIN, TELL)
    (message,) = messages(simulation)
    simulation.client().send_pipeline_execution_step_success(CallbackToken=message["token"])
    simulation.run(0)
    assert status(simulation, execution) == "Failed"
    assert len(messages(simulation)) == 1


def test_a_repeated_report_changes_nothing_and_another_one_is_refused(simulation: Simulation) -> None:
    execution, client = started(simulation, TRAIN), simulation.client()
    token = messages(simulation)[0]["token"]
    for _ in range(2):
        client.send_pipeline_execution_step_success(CallbackToken=token, ClientRequestToken=ID)
    with pytest.raises(ClientError, match="ResourceNotFound"):
        client.send_pipeline_execution_step_failure(CallbackToken=token, FailureReason="late")
    assert status(simulation, execution) == "Succeeded"


@pytest.mark.parametrize(
    "call",
    [
        {"CallbackToken": "unknown"},
        {"CallbackToken": "0123456789", "OutputParameters": [{"Name": "x", "Value": "1"}] * 51},
        {"CallbackToken": "0123456789", "OutputParameters": [{"Name": "x", "Value": "1" * 1025}]},
        {"CallbackToken": "0123456789", "ClientRequestToken": "short"},
    ],
)
def test_reports_beyond_the_limits_are_refused(simulation: Simulation, call: dict[str, Any]) -> None:
    with pytest.raises((ClientError, ParamValidationError), match=r"(?i)validation"):
        simulation.client().send_pipeline_execution_step_success(**call)


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([{"Name": "Fit", "Type": "Training"}], "Step Fit is of type Training. The local account runs only callback"),
        ([{"Name": "Fit", "Type": "Callback", "Arguments": {}}], "Step Fit lacks SqsQueueUrl"),
        ([TELL], "Step Tell needs Train, which is not an earlier step"),
    ],
)
def test_other_definitions_are_refused(simulation: Simulation, steps: list[Any], text: str) -> None:
    with pytest.raises(ClientError, match=text):
        started(simulation, *steps)


def test_a_parameter_has_a_value_of_its_type(simulation: Simulation) -> None:
    with pytest.raises(ClientError, match="many is not a value of type Integer"):
        started(simulation, TRAIN, epochs="many")
