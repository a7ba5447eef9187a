"""Describes each call: its purpose, its body and query, and its refusals."""

from dataclasses import dataclass
from typing import Any

from openapi import bodies
from openapi.refusals import (
    APPLIED,
    BODY,
    BUSY,
    CONFIG_FILE,
    CONTROLS,
    NOT_PERMITTED,
    REQUEST,
    ROLLED_BACK,
    SHOWN,
    SUBMISSION,
    UNKNOWN_ARRAY,
    UNKNOWN_JOB,
    UNREADABLE,
    Refused,
    refused,
)
from scheduler.errors import refusals
from scheduler.errors.wrong_state import (
    AlreadyCancelled,
    AlreadyFinished,
    ArrayEnded,
    ArrayHeld,
    AttemptCapReached,
    NoApprovalNeeded,
    NotHeld,
    NotQueued,
    StillHeld,
)


@dataclass(frozen=True, slots=True)
class Operation:
    """A call to the API. The type of its answer comes from its function's code."""

    summary: str
    refusals: tuple[Refused, ...] = ()
    statuses: tuple[int, ...] = (200,)
    body: Any = None
    query: type[Any] | None = None


def _job_action(summary: str, *kinds: type[refusals.BadRequest]) -> Operation:
    return Operation(summary, (*UNKNOWN_JOB, *NOT_PERMITTED, *refused(*kinds), *BUSY, *UNREADABLE), (202,))


def _array_action(summary: str) -> Operation:
    return Operation(summary, (*UNKNOWN_ARRAY, *NOT_PERMITTED, *refused(AlreadyFinished), *BUSY, *UNREADABLE), (202,))


OPERATIONS = {
    ("POST", "/add-job"): Operation(
        "Submit a plain CreateTrainingJob request; status 200 if the same job was submitted before",
        (*SUBMISSION, *BUSY),
        (201, 200),
        bodies.TrainingRequest,
    ),
    ("POST", "/jobs"): Operation(
        "Submit a request with options and a client token; status 200 if the same job was submitted before",
        (*SUBMISSION, *BUSY),
        (201, 200),
        bodies.Submission,
    ),
    ("POST", "/what-if"): Operation(
        "Forecast the start of a submission; nothing is stored",
        SUBMISSION,
        body=bodies.Submission,
    ),
    ("GET", "/jobs"): Operation(
        "List jobs: live jobs, then waiting jobs in queue order, then ended jobs, the most recently ended first",
        refused(refusals.BadRequest, refusals.UnknownToken),
        query=bodies.ListQuery,
    ),
    ("GET", "/jobs/{name}"): Operation("Get a job and its request", (*UNKNOWN_JOB, *REQUEST)),
    ("GET", "/jobs/{name}/why"): Operation("Explain why a job waits", (*UNKNOWN_JOB, *REQUEST)),
    ("POST", "/jobs/{name}/cancel"): Operation(
        "Cancel a job",
        (*BODY, *UNKNOWN_JOB, *NOT_PERMITTED, *refused(AlreadyFinished), *BUSY, *UNREADABLE),
        (202,),
        bodies.Cancellation,
    ),
    ("POST", "/jobs/{name}/hold"): _job_action("Hold a waiting job", AlreadyFinished, NotQueued),
    ("POST", "/jobs/{name}/release"): _job_action("Release a held job", AlreadyFinished, NotHeld, ArrayHeld),
    ("POST", "/jobs/{name}/requeue"): Operation(
        "Queue a job again: the queue stops a running job first, and retries a failed job",
        (
            *(*BODY, *UNKNOWN_JOB, *NOT_PERMITTED),
            *refused(AlreadyFinished, StillHeld, AlreadyCancelled),
            *refused(AttemptCapReached, refusals.OwnerCapReached, ArrayEnded, ArrayHeld),
            *(*BUSY, *UNREADABLE),
        ),
        (202,),
        bodies.Requeue,
    ),
    ("POST", "/jobs/{name}/top"): _job_action(
        "Move a waiting job ahead of all other waiting jobs of its priority",
        AlreadyFinished,
        NotQueued,
    ),
    ("POST", "/jobs/{name}/approve"): Operation(
        "Approve a job of another caller that needs an approval; only operators may",
        (*BODY, *UNKNOWN_JOB, *NOT_PERMITTED, *refused(AlreadyFinished, NoApprovalNeeded), *BUSY, *REQUEST),
        (202,),
        bodies.JobApproval,
    ),
    ("POST", "/jobs/{name}/update"): Operation(
        "Change a waiting job's options or time limit",
        (
            *BODY,
            *UNKNOWN_JOB,
            *NOT_PERMITTED,
            *refused(AlreadyFinished, NotQueued, refusals.RuleViolated),
            *BUSY,
            *REQUEST,
        ),
        (202,),
        bodies.JobUpdate,
    ),
    ("POST", "/arrays"): Operation(
        "Submit an array: one request for many sets of parameters; status 200 if the same array was submitted before",
        (*SUBMISSION, *BUSY),
        (201, 200),
        bodies.ArraySubmission,
    ),
    ("GET", "/arrays"): Operation("List arrays: unfinished arrays in queue order, then ended arrays, newest first"),
    ("GET", "/arrays/{name}"): Operation("Get an array and its progress", (*UNKNOWN_ARRAY, *UNREADABLE)),
    ("POST", "/arrays/{name}/cancel"): _array_action("Cancel an array and all its jobs"),
    ("POST", "/arrays/{name}/hold"): _array_action("Hold an array and its waiting jobs"),
    ("POST", "/arrays/{name}/release"): _array_action("Release a held array and its held jobs"),
    ("POST", "/arrays/{name}/priority"): Operation(
        "Change the priority of all unfinished jobs in an array",
        (
            *(*BODY, *UNKNOWN_ARRAY, *NOT_PERMITTED),
            *(*refused(AlreadyFinished, refusals.RuleViolated), *BUSY, *REQUEST),
        ),
        (202,),
        bodies.NewPriority,
    ),
    ("POST", "/arrays/{name}/approve"): Operation(
        "Approve all jobs in another caller's array; only operators may",
        (*BODY, *UNKNOWN_ARRAY, *NOT_PERMITTED, *refused(AlreadyFinished, NoApprovalNeeded), *BUSY, *REQUEST),
        (202,),
        bodies.JobApproval,
    ),
    ("POST", "/change-jobs"): Operation(
        "Change many jobs, selected by filter or name: cancel, hold, release, requeue, approve, or set priorities",
        (*BODY, *refused(refusals.UnknownToken)),
        body=bodies.JobsChange,
    ),
    ("POST", "/what-if-priority"): Operation(
        "Forecast which jobs would stop or start if some jobs had another priority; nothing is stored",
        (*BODY, *UNKNOWN_JOB),
        body=bodies.PriorityOfJobs,
    ),
    ("GET", "/queue"): Operation("Get a summary of the queue"),
    ("GET", "/budget"): Operation("Get the current budget", UNREADABLE),
    ("GET", "/budget/history"): Operation(
        "List past budgets, oldest first",
        (*refused(refusals.BadRequest), *UNREADABLE),
        query=bodies.PastBudgetsQuery,
    ),
    ("PUT", "/budget"): Operation("Replace the budget", (*BODY, *NOT_PERMITTED, *CONTROLS), body=bodies.NewBudget),
    ("DELETE", "/budget"): Operation(
        "Remove the operators' budget, so that the calendar's or the stack's budget applies",
        (*NOT_PERMITTED, *CONTROLS),
    ),
    ("POST", "/drain"): Operation("Stop accepting jobs", (*NOT_PERMITTED, *CONTROLS)),
    ("POST", "/resume"): Operation("Accept jobs again", (*NOT_PERMITTED, *CONTROLS)),
    ("GET", "/findings"): Operation(
        "List training jobs that were started outside the queue and break a rule, newest first",
        refused(refusals.BadRequest),
        query=bodies.FindingsQuery,
    ),
    ("GET", "/pools"): Operation("List the warm pools, with their costs and the jobs that could start on them"),
    ("GET", "/prices"): Operation("Get the known prices of instances"),
    ("GET", "/spending"): Operation("Get how much of each monthly spending limit has been used"),
    ("GET", "/history"): Operation(
        "List the changes to all jobs, oldest first",
        refused(refusals.BadRequest, refusals.UnknownToken),
        query=bodies.HistoryQuery,
    ),
    ("GET", "/whoami"): Operation("Get the caller's permissions"),
    ("GET", "/people"): Operation("Get the names of people who sign in at the hosted page"),
    ("GET", "/config"): Operation("Get the configuration", SHOWN, query=bodies.ConfigQuery),
    ("PUT", "/config"): Operation(
        "Apply a configuration file: all of its sections, or none",
        APPLIED,
        body=bodies.ConfigFile,
        query=bodies.ApplyQuery,
    ),
    ("POST", "/config/plan"): Operation(
        "Plan a configuration file: get its effects without applying it",
        CONFIG_FILE,
        body=bodies.ConfigFile,
    ),
    ("GET", "/config/versions"): Operation(
        "List the versions of the configuration, newest first",
        refused(refusals.BadRequest),
        query=bodies.VersionsQuery,
    ),
    ("POST", "/config/rollback"): Operation(
        "Apply the sections of an older version again, as a new version",
        ROLLED_BACK,
        query=bodies.RollbackQuery,
    ),
    ("GET", "/config/{kind}"): Operation("Get one section of the configuration", SHOWN, query=bodies.ConfigQuery),
    ("PUT", "/config/{kind}"): Operation(
        "Apply one section",
        APPLIED,
        body=bodies.ConfigSection,
        query=bodies.ApplyQuery,
    ),
    ("POST", "/config/{kind}/plan"): Operation(
        "Plan one section: get its effects without applying it",
        CONFIG_FILE,
        body=bodies.ConfigSection,
    ),
    ("GET", "/config/{kind}/versions"): Operation(
        "List the versions that changed a section, newest first",
        refused(refusals.BadRequest),
        query=bodies.VersionsQuery,
    ),
}
