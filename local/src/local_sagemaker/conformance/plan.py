"""Plans a replay: the cheap rows of the table, the jobs for them, and the highest possible cost."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from local_sagemaker.conformance.requests import ARN, NAME, a_request
from local_sagemaker.conformance.table import TABLE, Row

_LONGEST_SECONDS = 600  # SageMaker stops any job of the script that trains longer
_LONGEST_REFUSED_SECONDS = 3600
_OVERHEAD_SECONDS = 720  # the maximum billed besides training: image, upload, and two minutes of grace after a stop
_ENDINGS = {"stop_training_job", "delete_training_job"}


@dataclass(frozen=True, slots=True)
class ProbeJob:
    """A job that passes through several states. In each state, the script replays the table's rows for that state."""

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


def probe_jobs(training_seconds: int) -> list[ProbeJob]:
    states_on_the_way = {"starting", "pending", "downloading", "training", "uploading", "completed"}
    return [
        ProbeJob("runs", f"sleep {training_seconds}", frozenset(states_on_the_way)),
        ProbeJob("fails", "exit 1", frozenset({"failed"})),
        ProbeJob("stops", f"trap '' TERM; sleep {_LONGEST_SECONDS}", frozenset({"stopping", "stopped"}), "training"),
        ProbeJob("never-runs", "true", frozenset(), "starting"),
    ]


# The questions use this job in their requests. Its name shows whether ARNs preserve case.
QUESTION_JOB = ProbeJob("Questioned", "true", frozenset())
POOL_REQUEST = a_request(
    ResourceConfig=a_request()["ResourceConfig"] | {"KeepAlivePeriodInSeconds": 3601},
    StoppingCondition={"MaxRuntimeInSeconds": 60},
)
INVALID_REQUEST = a_request(StoppingCondition={"MaxRuntimeInSeconds": 60, "MaxWaitTimeInSeconds": 60})


@dataclass(slots=True)
class Plan:
    rows: dict[ProbeJob, list[Row]] = field(default_factory=dict)  # rows that end the job's state come last
    without_job: list[Row] = field(default_factory=list)
    left_out: list[tuple[Row, str]] = field(default_factory=list)

    def most_instance_seconds(self) -> int:
        """Returns the maximum billed time, assuming that invalid requests are accepted and that no stop succeeds."""
        replayed = [*self.without_job, *(row for rows in self.rows.values() for row in rows)]
        refused = [row.parameters for row in replayed if row.call == "create_training_job"]
        accepted = [job.request() for job in (*self.rows, QUESTION_JOB)]
        created = [*accepted, *refused, INVALID_REQUEST, POOL_REQUEST]
        return sum(_longest(request) + _pool_seconds(request) + _OVERHEAD_SECONDS for request in created)


def make_plan(training_seconds: int, table: Iterable[Row] = TABLE) -> Plan:
    plan, available = Plan(), probe_jobs(training_seconds)
    for row in sorted(table, key=lambda row: row.call in _ENDINGS and row.succeeds):
        reason = _reason_to_leave_out(row)
        job = next((job for job in available if job.takes(row)), None)
        if reason:
            plan.left_out.append((row, reason))
        elif row.state == "unknown":
            plan.without_job.append(row)
        elif job:
            plan.rows.setdefault(job, []).append(row)
        else:
            plan.left_out.append((row, f"no cheap job reliably reaches the state {row.state}"))
    return plan


def _reason_to_leave_out(row: Row) -> str:
    creates = row.call == "create_training_job"
    if creates and row.succeeds:
        return "the other jobs of this script show it"
    if not _names_our_job(row.parameters):
        return "it does not name a job of this script"
    if creates and _may_cost_much(row.parameters):
        return "it could cost too much if the account accepted it"
    if row.state != "unknown" and row.request != a_request():
        return "it needs a job of another kind"
    return ""


def _names_our_job(parameters: dict[str, Any]) -> bool:
    return parameters.get("TrainingJobName") == NAME or parameters.get("ResourceArn") == ARN


def _may_cost_much(request: dict[str, Any]) -> bool:
    is_ours = request.get("ResourceConfig") == a_request()["ResourceConfig"]
    return not is_ours or _longest(request) > _LONGEST_REFUSED_SECONDS


def _longest(request: dict[str, Any]) -> int:
    seconds: int = request.get("StoppingCondition", {}).get("MaxRuntimeInSeconds", 86400)
    return seconds


def _pool_seconds(request: dict[str, Any]) -> int:
    seconds: int = request["ResourceConfig"].get("KeepAlivePeriodInSeconds", 0)
    return seconds
