"""Describes a queued job as DescribeTrainingJob does, under the name that the user gave it.

Until the job ends, the description comes from the queue's record, because SageMaker has no job with that name. The
description keeps the user's name because the SDKs keep polling that name; the name of an attempt would be useless after
a preemption. A preempted job is never `Stopped`: the SDKs treat that as the end, and a script would deploy a partly
trained model.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from sagequeue.contract.jobs import FINISHED, Attempt, Job

#: SageMaker's log group and metrics namespace; both are organised by the names of attempts.
TRAINING_JOBS = "/aws/sagemaker/TrainingJobs"
#: The log group of processing jobs.
PROCESSING_JOBS = "/aws/sagemaker/ProcessingJobs"
#: What to ask for to see the logs of jobs, for messages.
LOG_PERMISSIONS = (
    f"logs:DescribeLogStreams and logs:GetLogEvents on {TRAINING_JOBS} (of a processing job: {PROCESSING_JOBS})"
)

Transition = dict[str, Any]  # an entry of SecondaryStatusTransitions

# After these outcomes, SageMaker's description of the attempt does not show how the job ended.
_NOT_DECIDING = frozenset({"preempted", "never_started", "vanished"})
# Members of a CreateTrainingJob request that DescribeTrainingJob does not return.
_CREATE_ONLY = frozenset({"Tags", "SessionChainingConfig"})
# SageMaker always returns these, and the SDKs read them without a check.
_ALWAYS = {
    "HyperParameters": {},
    "EnableNetworkIsolation": False,
    "EnableInterContainerTrafficEncryption": False,
    "EnableManagedSpotTraining": False,
}
_ENDS = {
    "preempted": "preempted for {beneficiary}; the job resumes at its next turn",
    "never_started": "could not start: {failure_reason}",
}


def log_group_of(job: Job) -> str:
    return PROCESSING_JOBS if job["kind"] == "processing" else TRAINING_JOBS


def attempts_in_sagemaker(job: Job) -> list[Attempt]:
    """Returns the attempts that SageMaker knows, in order."""
    return [attempt for attempt in job["attempts"] if attempt["outcome"] not in ("never_started", "vanished")]


def status_without_steps(job: Job) -> str:
    """Returns the status of a job whose kind has no secondary status.

    A preempted job is never Stopped: the SDKs treat that as its end.
    """
    match job["state"]:
        case "completed" | "stopped" | "failed":
            return job["state"].capitalize()
        case "stopping" if job["reason"]["code"] == "cancelled":
            return "Stopping"
    return "InProgress"


def describe(job: Job) -> dict[str, Any]:
    """Returns a description without ModelArtifacts: `model_data` and `deploy()` fail as for an unfinished job."""
    now = status(job)
    return {
        **_ALWAYS,
        **_echo(job),
        "TrainingJobName": job["name"],
        "TrainingJobArn": job["arn"],
        "TrainingJobStatus": now.primary,
        "SecondaryStatus": now.secondary,
        "SecondaryStatusTransitions": transitions(job),
        "CreationTime": moment(job["submitted_at"]),
        "LastModifiedTime": moment(job["updated_at"]),
        **_training_times(job),
        **({"FailureReason": failure_reason(job)} if now.primary == "Failed" else {}),
    }


def describe_ended(job: Job) -> dict[str, Any]:
    """Describes a finished job from the queue's record, for callers without permission to ask SageMaker
    (docs/admin/iam.md).

    The path of the model is not recorded, because SageMaker always derives it from the output path and the attempt's
    name.
    """
    description = describe(job)
    last = job["attempts"][-1]
    now = _step(description["SecondaryStatus"], last["ended_at"] or job["updated_at"], status(job).message)
    description["SecondaryStatusTransitions"] = transitions_with(job, [*_begun(last), now])
    if last["training_started_at"]:
        description["TrainingTimeInSeconds"] = sum(map(_trained, job["attempts"]))
    if last["billable_seconds"] is not None:
        description["BillableTimeInSeconds"] = sum(map(_billed, job["attempts"]))
    output = description["OutputDataConfig"]
    if job["state"] == "completed" and "S3OutputPath" in output:  # it is missing if the job is another user's
        file = "model/" if output.get("CompressionType") == "NONE" else "model.tar.gz"
        path = f"{output['S3OutputPath'].rstrip('/')}/{last['name']}/output/{file}"
        description["ModelArtifacts"] = {"S3ModelArtifacts": path}
    return description


def restore_job_identity(job: Job, description: dict[str, Any]) -> None:
    """Turns SageMaker's description of the last attempt into a description of the job, in place."""
    description["TrainingJobName"] = job["name"]
    description["TrainingJobArn"] = job["arn"]
    description["CreationTime"] = moment(job["submitted_at"])
    description["SecondaryStatusTransitions"] = transitions_with(job, description.get("SecondaryStatusTransitions", []))
    for member, seconds in (("TrainingTimeInSeconds", _trained), ("BillableTimeInSeconds", _billed)):
        if member in description:  # of the last attempt
            description[member] += sum(seconds(attempt) for attempt in job["attempts"][:-1])


def _billed(attempt: Attempt) -> int:
    return attempt["billable_seconds"] or 0


def _trained(attempt: Attempt) -> int:
    """Returns the training seconds, or the billed seconds if there are more:

    SDK v2 prints the difference as spot savings.
    """
    started, ended = attempt["training_started_at"], attempt["ended_at"]
    span = (moment(ended) - moment(started)).total_seconds() if started and ended else 0
    return max(int(span), _billed(attempt))


def _echo(job: Job) -> dict[str, Any]:
    request = {member: value for member, value in job["request"].items() if member not in _CREATE_ONLY}
    echo = deepcopy(request)  # the caller may change the answer
    echo["OutputDataConfig"] = {"KmsKeyId": "", **echo.get("OutputDataConfig", {})}
    return echo


def _training_times(job: Job) -> dict[str, Any]:
    attempt = last_attempt(job)
    times = {}
    if attempt and attempt["training_started_at"]:
        times["TrainingStartTime"] = moment(attempt["training_started_at"])
    if job["state"] in FINISHED:
        times["TrainingEndTime"] = moment(job["updated_at"])
    return times


def moment(text: str) -> datetime:
    """Parses a time as botocore does: with the local time zone, as SDK v2 expects when it prints times."""
    return datetime.fromisoformat(text).astimezone()


@dataclass(frozen=True, slots=True)
class Status:
    primary: str
    secondary: str
    message: str


def status(job: Job) -> Status:
    match job["state"]:
        case "launching" | "running":
            return _running(job)
        case "stopping" if job["reason"]["code"] == "cancelled":
            return Status("Stopping", "Stopping", job["reason"]["message"])
        case "stopping":
            return Status("InProgress", "Interrupted", job["reason"]["message"])
        case "completed":
            return Status("Completed", "Completed", "Training job completed")
        case "stopped":
            return Status("Stopped", "Stopped", job["reason"]["message"])
        case "failed":
            return Status("Failed", "Failed", failure_reason(job))
        case waiting:  # also a state of a newer queue: programs that wait for the job keep waiting
            return Status("InProgress", "Pending", waiting_message(job, waiting))


def _running(job: Job) -> Status:
    attempt = live_attempt(job)
    if attempt is None:
        return Status("InProgress", "Starting", job["reason"]["message"])
    return Status("InProgress", attempt["secondary_status"] or "Starting", attempt["message"] or _starts(attempt))


def _starts(attempt: Attempt) -> str:
    return f"{attempt['name']} starts"


def waiting_message(job: Job, state: str) -> str:
    """Returns for example "queued: position 3, priority 5: needs 2 × ml.p4d.24xlarge; held by resnet"."""
    place = f"queued: position {job['position']}" if job["position"] else state
    why = job["reason"]["message"] or f"needs {instances(job)}"
    return f"{place}, priority {job['priority']}: {why}"


def failure_reason(job: Job) -> str:
    # SDK v2 reads "CapacityError" as SageMaker's lack of instances, and raises another exception.
    return job["reason"]["message"].replace("CapacityError", "capacity error")


def instances(job: Job) -> str:
    return instances_text(job["instances"], " or " if job["preferences"] else " + ")


def instances_text(wanted: Mapping[str, int], among: str = " + ") -> str:
    return among.join(f"{count} × {kind}" for kind, count in wanted.items())


def transitions(job: Job) -> list[Transition]:
    """Returns all transitions that the queue knows, including its own: the SDKs print new entries while they wait.

    The list never gets shorter: a finished attempt has as many entries as it had while it was live.
    """
    live = live_attempt(job)
    if live is None:
        return _with_ends([*_over(job, job["attempts"]), _now(job)])
    earlier = job["attempts"][:-1]
    return _with_ends([*_over(job, earlier), _waited(job, earlier), *_live(job, live)])


def transitions_with(job: Job, real: Iterable[Transition]) -> list[Transition]:
    """Returns the job's transitions, with SageMaker's own transitions for the last attempt."""
    earlier = job["attempts"][:-1]
    return _with_ends([*_over(job, earlier), _waited(job, earlier), *real])


def ending(attempt: Attempt) -> str:
    """Returns how the attempt ended: "resnet-sq-1: preempted for urgent; the job …"."""
    end = _ENDS.get(attempt["outcome"] or "", "{outcome}").format(**attempt)
    return f"{attempt['name']}: {end}"


def _over(job: Job, attempts: list[Attempt]) -> Iterator[Transition]:
    """Yields the transitions of finished attempts, each after the wait that preceded the attempt."""
    for number, attempt in enumerate(attempts):
        yield _waited(job, attempts[:number])
        yield from _begun(attempt)
        yield _step("Interrupted", attempt["ended_at"] or job["updated_at"], ending(attempt))


def _live(job: Job, attempt: Attempt) -> Iterator[Transition]:
    now = status(job)
    started, *training = _begun(attempt)
    yield started
    if now.secondary in {"Interrupted", "Stopping"}:
        yield from training
    if training or now.secondary != "Starting":
        yield _now(job)


def _waited(job: Job, earlier: list[Attempt]) -> Transition:
    """Returns the transition for the wait that follows these attempts."""
    since = earlier[-1]["ended_at"] if earlier else job["submitted_at"]
    return _step("Pending", since or job["updated_at"], "queued")


def _begun(attempt: Attempt) -> Iterator[Transition]:
    yield _step("Starting", attempt["reserved_at"], _starts(attempt))
    if attempt["training_started_at"]:
        yield _step("Training", attempt["training_started_at"], "Training in progress")


def _now(job: Job) -> Transition:
    now = status(job)
    return _step(now.secondary, job["updated_at"], now.message)


def _step(secondary: str, since: str, message: str) -> Transition:
    return {"Status": secondary, "StartTime": moment(since), "StatusMessage": message}


def _with_ends(steps: list[Transition]) -> list[Transition]:
    """Sets each transition's end to the start of the next transition."""
    return [{**step, "EndTime": following["StartTime"]} for step, following in pairwise(steps)] + steps[-1:]


def last_attempt(job: Job) -> Attempt | None:
    return job["attempts"][-1] if job["attempts"] else None


def live_attempt(job: Job) -> Attempt | None:
    """Returns the attempt that has not ended. A live job may briefly have none, while its end is recorded."""
    attempt = last_attempt(job)
    return attempt if attempt and attempt["outcome"] is None else None


def deciding_attempt(job: Job) -> Attempt | None:
    """Returns the attempt that decided the job's result, or None. Its description in SageMaker describes the job."""
    attempt = last_attempt(job)
    if attempt is None or job["state"] not in FINISHED or attempt["outcome"] in _NOT_DECIDING:
        return None
    return attempt
