"""Runs the executions of pipelines: sends each step's message to SQS, and starts the next steps after its end."""

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from local_sagemaker.state_machine.commands import MessageSent
from local_sagemaker.state_machine.pipelines.execution import Execution, StepEnd, StepRun, StepStatus, Unresolved

_TOKEN_LENGTH = 10
_ID_LENGTH = 12


class PipelineExecutions:
    """The pipelines of the account and their executions. A restart of the server forgets them."""

    def __init__(self, send: Callable[[MessageSent], None]) -> None:
        self._send = send
        #: Definitions by the ARN of the pipeline, as JSON text can hold them.
        self.pipelines: dict[str, Mapping[str, Any]] = {}
        self.by_arn: dict[str, Execution] = {}

    def start(self, pipeline_arn: str, parameters: Mapping[str, Any], now: float) -> Execution:
        """Starts an execution. `parameters` has a value for each parameter of the pipeline."""
        steps = {step["Name"]: step for step in self.pipelines[pipeline_arn]["Steps"]}
        identity = _digest(f"{pipeline_arn}/{now}/{len(self.by_arn)}", _ID_LENGTH)
        execution = Execution(f"{pipeline_arn}/execution/{identity}", pipeline_arn, steps, parameters, now)
        self.by_arn[execution.arn] = execution
        self._start_steps(execution, now)
        return execution

    def waiting(self, token: str) -> tuple[Execution, StepRun] | None:
        """Returns the step with this token. The step may have ended."""
        runs = ((execution, run) for execution in self.by_arn.values() for run in execution.runs.values())
        return next(((execution, run) for execution, run in runs if run.token == token), None)

    def end_step(self, execution: Execution, run: StepRun, end: StepEnd, now: float) -> None:
        """Ends a step, and starts the steps that have waited for it."""
        run.end(end, now)
        self._start_steps(execution, now)

    def stop(self, execution: Execution) -> None:
        """Starts no more steps, and sends another message for each running step."""
        execution.is_stopped = True
        for run in execution.runs.values():
            if run.status is StepStatus.EXECUTING:
                self._send_message(execution, run, StepStatus.STOPPING)

    def _start_steps(self, execution: Execution, now: float) -> None:
        for step in [*execution.startable()]:
            self._start_step(execution, step, now)

    def _start_step(self, execution: Execution, step: Mapping[str, Any], now: float) -> None:
        """Starts a step, which fails at once if its arguments refer to a value that does not exist."""
        name, url = step["Name"], step["SqsQueueUrl"]
        token = _digest(f"{execution.arn}/{name}/{execution.created_at}", _TOKEN_LENGTH)
        run = execution.runs[name] = StepRun(name, url, token, now)
        try:
            self._send_message(execution, run, StepStatus.EXECUTING)
        except Unresolved as error:
            run.end(StepEnd(StepStatus.FAILED, failure_reason=str(error)), now)

    def _send_message(self, execution: Execution, run: StepRun, status: StepStatus) -> None:
        """Sends the step's message to its SQS queue. Raises Unresolved."""
        arguments = execution.steps[run.name]["Arguments"]
        message = {
            "token": run.token,
            "pipelineExecutionArn": execution.arn,
            "arguments": {key: execution.resolved(value) for key, value in arguments.items()},
            "status": status,
        }
        self._send(MessageSent(run.queue_url, json.dumps(message)))


def _digest(text: str, length: int) -> str:
    """Returns letters and digits that differ between executions, and are the same when a simulation is repeated."""
    return sha256(text.encode()).hexdigest()[:length]
