"""Implements each operation of pipelines as a function of the state machine, a valid request and the time."""

import json
from collections.abc import Callable
from typing import Any

from local_sagemaker.api.pipelines.definition import check_definition, parameters_for
from local_sagemaker.errors import AwsError, invalid
from local_sagemaker.state_machine.machine import StateMachine
from local_sagemaker.state_machine.pipelines.execution import Execution, StepEnd, StepRun, StepStatus


def create_pipeline(machine: StateMachine, request: dict[str, Any], _now: float) -> dict[str, Any]:
    arn = machine.arn("pipeline", request["PipelineName"])
    if arn in machine.pipelines.pipelines:
        raise invalid(f"Pipeline names must be unique within an AWS account and region. {arn} already exists.")
    return _define(machine, arn, request)


def update_pipeline(machine: StateMachine, request: dict[str, Any], _now: float) -> dict[str, Any]:
    return _define(machine, _pipeline_arn(machine, request), request)


def start_execution(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    arn = _pipeline_arn(machine, request)
    given = {parameter["Name"]: parameter["Value"] for parameter in request.get("PipelineParameters", ())}
    parameters = parameters_for(machine.pipelines.pipelines[arn], given)
    return {"PipelineExecutionArn": machine.pipelines.start(arn, parameters, now).arn}


def stop_execution(machine: StateMachine, request: dict[str, Any], _now: float) -> dict[str, Any]:
    """Stops an execution. A repeated call changes nothing."""
    execution = _execution(machine, request)
    if execution.status not in {StepStatus.EXECUTING, StepStatus.STOPPING, StepStatus.STOPPED}:
        raise invalid(f"The execution has ended: {execution.status}.")
    if not execution.is_stopped:
        machine.pipelines.stop(execution)
    return {"PipelineExecutionArn": execution.arn}


def describe_execution(machine: StateMachine, request: dict[str, Any], _now: float) -> dict[str, Any]:
    execution = _execution(machine, request)
    reasons = (run.failure_reason for run in execution.runs.values() if run.failure_reason)
    failure = {"FailureReason": reason} if (reason := next(reasons, None)) else {}
    return {
        "PipelineArn": execution.pipeline_arn,
        "PipelineExecutionArn": execution.arn,
        "PipelineExecutionStatus": execution.status,
        "CreationTime": execution.created_at,
        "LastModifiedTime": execution.modified_at,
        **failure,
    }


def list_steps(machine: StateMachine, request: dict[str, Any], _now: float) -> dict[str, Any]:
    """Returns all steps that have started, in one page, last one first."""
    runs = [_summary(run) for run in _execution(machine, request).runs.values()]
    return {"PipelineExecutionSteps": runs if request.get("SortOrder") == "Ascending" else runs[::-1]}


def send_success(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    outputs = {output["Name"]: output["Value"] for output in request.get("OutputParameters", ())}
    return _end_step(machine, request, StepEnd(StepStatus.SUCCEEDED, outputs, by=request["ClientRequestToken"]), now)


def send_failure(machine: StateMachine, request: dict[str, Any], now: float) -> dict[str, Any]:
    reason = request.get("FailureReason", "")
    return _end_step(machine, request, StepEnd(StepStatus.FAILED, {}, reason, request["ClientRequestToken"]), now)


OPERATIONS: dict[str, Callable[[StateMachine, dict[str, Any], float], dict[str, Any]]] = {
    "CreatePipeline": create_pipeline,
    "UpdatePipeline": update_pipeline,
    "StartPipelineExecution": start_execution,
    "StopPipelineExecution": stop_execution,
    "DescribePipelineExecution": describe_execution,
    "ListPipelineExecutionSteps": list_steps,
    "SendPipelineExecutionStepSuccess": send_success,
    "SendPipelineExecutionStepFailure": send_failure,
}


def _define(machine: StateMachine, arn: str, request: dict[str, Any]) -> dict[str, Any]:
    try:
        definition = json.loads(request.get("PipelineDefinition", ""))
    except ValueError as error:
        raise invalid("PipelineDefinition is not JSON. The local account cannot read it from S3.") from error
    check_definition(definition)
    machine.pipelines.pipelines[arn] = definition
    return {"PipelineArn": arn}


def _end_step(machine: StateMachine, request: dict[str, Any], end: StepEnd, now: float) -> dict[str, Any]:
    """Ends a step once. A repeated call with the same ClientRequestToken counts as the same call."""
    found = machine.pipelines.waiting(request["CallbackToken"])
    if found is None:
        raise _no_such("step that waits for the token")
    execution, run = found
    if run.status is StepStatus.EXECUTING:
        machine.pipelines.end_step(execution, run, end, now)
    elif run.ended_by != end.by:
        raise _no_such("step that waits for the token")
    return {"PipelineExecutionArn": execution.arn}


def _summary(run: StepRun) -> dict[str, Any]:
    outputs = [{"Name": name, "Value": value} for name, value in run.outputs.items()]
    callback = {"CallbackToken": run.token, "SqsQueueUrl": run.queue_url, "OutputParameters": outputs}
    return {
        "StepName": run.name,
        "StartTime": run.started_at,
        "StepStatus": run.status,
        "Metadata": {"Callback": callback},
        **({"EndTime": run.ended_at} if run.ended_at else {}),
        **({"FailureReason": run.failure_reason} if run.failure_reason else {}),
    }


def _pipeline_arn(machine: StateMachine, request: dict[str, Any]) -> str:
    name = request["PipelineName"].rpartition("/")[2]  # it may be an ARN
    arn = machine.arn("pipeline", name)
    if arn not in machine.pipelines.pipelines:
        raise _no_such(f"pipeline {name}")
    return arn


def _execution(machine: StateMachine, request: dict[str, Any]) -> Execution:
    execution = machine.pipelines.by_arn.get(request["PipelineExecutionArn"])
    if execution is None:
        raise _no_such("execution")
    return execution


def _no_such(what: str) -> AwsError:
    return AwsError("ResourceNotFound", f"There is no {what}.")
