"""Defines one execution of a pipeline, and resolves the references of its steps to parameters and earlier steps."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

_PARAMETER = re.compile(r"Parameters\.(.+)")
_OUTPUT = re.compile(r"Steps\.(.+)\.OutputParameters\['(.+)'\]")


class StepStatus(StrEnum):
    EXECUTING = "Executing"
    STOPPING = "Stopping"
    STOPPED = "Stopped"
    SUCCEEDED = "Succeeded"
    FAILED = "Failed"


class Unresolved(Exception):
    """A step refers to a value that does not exist."""


@dataclass(frozen=True, slots=True)
class StepEnd:
    status: StepStatus
    outputs: Mapping[str, str] = field(default_factory=dict)
    failure_reason: str = ""
    by: str = ""  # the ClientRequestToken of the call that reported the end


@dataclass
class StepRun:
    """One run of a callback step."""

    name: str
    queue_url: str
    token: str
    started_at: float
    status: StepStatus = StepStatus.EXECUTING
    ended_at: float | None = None
    ended_by: str = ""  # the ClientRequestToken of the call that reported the end
    outputs: Mapping[str, str] = field(default_factory=dict)
    failure_reason: str = ""

    def end(self, end: StepEnd, now: float) -> None:
        self.status, self.outputs, self.failure_reason = end.status, end.outputs, end.failure_reason
        self.ended_by, self.ended_at = end.by, now


@dataclass
class Execution:
    arn: str
    pipeline_arn: str
    steps: Mapping[str, Mapping[str, Any]]  # their definitions, by name
    parameters: Mapping[str, Any]
    created_at: float
    is_stopped: bool = False  # then no step starts
    runs: dict[str, StepRun] = field(default_factory=dict)  # in the order of their starts

    @property
    def status(self) -> StepStatus:
        """Returns the status of the execution: it stops or fails only after all running steps have ended."""
        statuses = {run.status for run in self.runs.values()}
        if StepStatus.EXECUTING in statuses:
            return StepStatus.STOPPING if self.is_stopped else StepStatus.EXECUTING
        if self.is_stopped:
            return StepStatus.STOPPED
        return StepStatus.FAILED if StepStatus.FAILED in statuses else StepStatus.SUCCEEDED

    @property
    def modified_at(self) -> float:
        return max([self.created_at, *(run.ended_at or run.started_at for run in self.runs.values())])

    def startable(self) -> Iterator[Mapping[str, Any]]:
        """Yields the steps that can start now. After a stop or a failure, no step can start."""
        if self.is_stopped or any(run.status is StepStatus.FAILED for run in self.runs.values()):
            return
        done = {name for name, run in self.runs.items() if run.status is StepStatus.SUCCEEDED}
        for name, step in self.steps.items():
            if name not in self.runs and needed_by(step) <= done:
                yield step

    def resolved(self, value: Any) -> Any:
        """Returns an argument with all references replaced. Raises Unresolved."""
        if not isinstance(value, dict):
            return value
        if join := value.get("Std:Join"):
            return join["On"].join(str(self.resolved(part)) for part in join["Values"])
        reference = str(value.get("Get"))
        if (found := _PARAMETER.fullmatch(reference)) and found[1] in self.parameters:
            return self.parameters[found[1]]
        if (found := _OUTPUT.fullmatch(reference)) and found[2] in self.runs[found[1]].outputs:
            return self.runs[found[1]].outputs[found[2]]
        raise Unresolved(f"There is no value for {reference}.")


def needed_by(step: Mapping[str, Any]) -> set[str]:
    """Returns the names of the steps that have to succeed first."""
    named: set[str] = set(step.get("DependsOn", ()))
    return named | {found[1] for reference in _references(step.get("Arguments")) if (found := _OUTPUT.match(reference))}


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("Get"), str):
            yield value["Get"]
        value = [*value.values()]
    if isinstance(value, list):
        for part in value:
            yield from _references(part)
