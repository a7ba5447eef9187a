"""Which rows of the table can be replayed for little money, on which jobs, and what that may cost at most."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from local_sagemaker.conformance.requests import ARN, NAME, a_request
from local_sagemaker.conformance.table import TABLE, Row

_LONGEST_SECONDS = 600  # SageMaker itself ends a job of ours that trains longer
_LONGEST_REFUSED_SECONDS = 3600
_OVERHEAD_SECONDS = 720  # may be billed around the training: image, upload, and two minutes of grace after a stop
_ENDINGS = {"stop_training_job", "delete_training_job"}


@dataclass(frozen=True, slots=True)
class Course:
    """One job that is led through states, while the rows of these states are replayed on it."""

    name: str
    command: str
    states: frozenset[str]
    stopped_in: str = ""

    def request(self) -> dict[str, Any]:
        command = {"ContainerEntrypoint": ["/bin/sh", "-c", self.command]}
        return a_request(
            AlgorithmSpecification=a_request()["AlgorithmSpecification"] | command,
            StoppingCondition={"MaxRuntimeInSeconds": _LONGEST_SECONDS},
        )

    def takes(self, row: Row) -> bool:
        if row.call == "stop_training_job" and row.succeeds and row.state != "stopping":
            return row.state == self.stopped_in
        return row.state in self.states


def courses(training_seconds: int) -> list[Course]:
    states_on_the_way = {"starting", "pending", "downloading", "training", "uploading", "completed"}
    return [
        Course("runs", f"sleep {training_seconds}", frozenset(states_on_the_way)),
        Course("fails", "exit 1", frozenset({"failed"})),
        Course("stops", f"trap '' TERM; sleep {_LONGEST_SECONDS}", frozenset({"stopping", "stopped"}), "training"),
        Course("never-runs", "true", frozenset(), "starting"),
    ]


# What the questions create.
QUESTIONED = Course("questioned", "true", frozenset())
INVALID = a_request(StoppingCondition={"MaxRuntimeInSeconds": 60, "MaxWaitTimeInSeconds": 60})


@dataclass(slots=True)
class Plan:
    rows: dict[Course, list[Row]] = field(default_factory=dict)  # first those that do not end their state
    without_job: list[Row] = field(default_factory=list)
    left_out: list[tuple[Row, str]] = field(default_factory=list)

    def most_instance_seconds(self) -> int:
        """What can be billed if the account accepts even what it should refuse, and none of our stops gets through."""
        replayed = [*self.without_job, *(row for rows in self.rows.values() for row in rows)]
        refused = [row.parameters for row in replayed if row.call == "create_training_job"]
        accepted = [course.request() for course in (*self.rows, QUESTIONED)]
        return sum(_longest(request) + _OVERHEAD_SECONDS for request in [*accepted, *refused, INVALID])


def make_plan(training_seconds: int, table: Iterable[Row] = TABLE) -> Plan:
    plan, available = Plan(), courses(training_seconds)
    for row in sorted(table, key=lambda row: row.call in _ENDINGS and row.succeeds):
        reason = _reason_against(row)
        course = next((course for course in available if course.takes(row)), None)
        if reason:
            plan.left_out.append((row, reason))
        elif row.state == "unknown":
            plan.without_job.append(row)
        elif course:
            plan.rows.setdefault(course, []).append(row)
        else:
            plan.left_out.append((row, f"no cheap job gets into the state {row.state} for sure"))
    return plan


def _reason_against(row: Row) -> str:
    creates = row.call == "create_training_job"
    if creates and row.succeeds:
        return "the jobs of this script show it"
    if not _is_about_our_job(row.parameters):
        return "it does not name a job of this script"
    if creates and _may_cost_much(row.parameters):
        return "it would cost too much, should the account accept it"
    if row.state != "unknown" and row.request != a_request():
        return "it needs a job of another kind"
    return ""


def _is_about_our_job(parameters: dict[str, Any]) -> bool:
    return parameters.get("TrainingJobName") == NAME or parameters.get("ResourceArn") == ARN


def _may_cost_much(request: dict[str, Any]) -> bool:
    is_ours = request.get("ResourceConfig") == a_request()["ResourceConfig"]
    return not is_ours or _longest(request) > _LONGEST_REFUSED_SECONDS


def _longest(request: dict[str, Any]) -> int:
    seconds: int = request.get("StoppingCondition", {}).get("MaxRuntimeInSeconds", 86400)
    return seconds
