"""Starts the pipelines of SageMaker Pipelines that wait for jobs, and reads how their steps ended."""

from local_sagemaker.state_machine.machine import StateMachine

_STEP = {"Name": "Train", "Type": "Callback", "Arguments": {}, "SqsQueueUrl": "https://sqs/steps"}


def start_pipeline(machine: StateMachine, job_name: str, now: float) -> str:
    """Returns the token of the only step in the job's pipeline. Starts the pipeline if it has not started yet."""
    arn, pipelines = machine.arn("pipeline", job_name), machine.pipelines
    if arn not in pipelines.pipelines:
        pipelines.pipelines[arn] = {"Steps": [_STEP]}
        return pipelines.start(arn, {}, now).runs["Train"].token
    (execution,) = (one for one in pipelines.by_arn.values() if one.pipeline_arn == arn)
    return execution.runs["Train"].token
