"""Describes each call: its purpose, its body and query, and its refusals."""

from dataclasses import dataclass
from typing import Any

from openapi import bodies
from openapi.refusals import (
    BODY,
    BUSY,
    CONTROLS,
    NOT_PERMITTED,
    REQUEST,
    SUBMISSION,
    UNKNOWN_JOB,
    UNREADABLE,
    Refused,
    refused,
    refused_document,
    stale,
)
from scheduler.core.documents.document import DocumentKind
from scheduler.errors import refusals
from scheduler.errors.config_errors import CallerLockedOut


@dataclass(frozen=True, slots=True)
class Operation:
    """A call. The type of its answer is read from the code of its function."""

    summary: str
    refusals: tuple[Refused, ...] = ()
    statuses: tuple[int, ...] = (200,)
    body: type[Any] | None = None
    query: type[Any] | None = None


def _job_action(summary: str, *kinds: type[refusals.BadRequest]) -> Operation:
    return Operation(summary, (*UNKNOWN_JOB, *NOT_PERMITTED, *refused(*kinds), *BUSY, *UNREADABLE), (202,))


OPERATIONS = {
    ("POST", "/add-job"): Operation(
        "Submit a CreateTrainingJob request unchanged; 200 if the same job was submitted before",
        (*SUBMISSION, *BUSY),
        (201, 200),
        bodies.TrainingRequest,
    ),
    ("POST", "/jobs"): Operation(
        "Submit a request with options and a client token; 200 if the same job was submitted before",
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
        "List jobs: running, waiting in their order, then ended, the newest first",
        refused(refusals.BadRequest, refusals.UnknownToken),
        query=bodies.ListQuery,
    ),
    ("GET", "/jobs/{name}"): Operation("Get a job and its request", (*UNKNOWN_JOB, *REQUEST)),
    ("GET", "/jobs/{name}/why"): Operation("Explain why a job waits", UNKNOWN_JOB),
    ("POST", "/jobs/{name}/cancel"): _job_action("Cancel a job", refusals.AlreadyFinished),
    ("POST", "/jobs/{name}/hold"): _job_action("Hold a waiting job", refusals.AlreadyFinished, refusals.NotQueued),
    ("POST", "/jobs/{name}/release"): _job_action("Release a held job", refusals.AlreadyFinished, refusals.NotHeld),
    ("POST", "/jobs/{name}/requeue"): Operation(
        "Run a job again",
        (
            *(*BODY, *UNKNOWN_JOB, *NOT_PERMITTED),
            *refused(refusals.AlreadyFinished, refusals.StillHeld, refusals.AlreadyCancelled),
            *(*BUSY, *UNREADABLE),
        ),
        (202,),
        bodies.Requeue,
    ),
    ("POST", "/jobs/{name}/top"): _job_action(
        "Move a job before all waiting jobs of its priority",
        refusals.AlreadyFinished,
        refusals.NotQueued,
    ),
    ("POST", "/jobs/{name}/priority"): Operation(
        "Change a job's priority",
        (
            *BODY,
            *UNKNOWN_JOB,
            *NOT_PERMITTED,
            *refused(refusals.AlreadyFinished, refusals.RuleViolated),
            *BUSY,
            *REQUEST,
        ),
        (202,),
        bodies.NewPriority,
    ),
    ("POST", "/cancel-jobs"): Operation("Cancel jobs by filter", (*BODY, *BUSY), body=bodies.Cancellation),
    ("GET", "/queue"): Operation("Get the queue at a glance"),
    ("GET", "/budget"): Operation("Get the current budget", UNREADABLE),
    ("PUT", "/budget"): Operation("Replace the budget", (*BODY, *NOT_PERMITTED, *CONTROLS), body=bodies.NewBudget),
    ("DELETE", "/budget"): Operation("Reset the budget to the stack's parameter", (*NOT_PERMITTED, *CONTROLS)),
    ("POST", "/drain"): Operation("Stop accepting jobs", (*NOT_PERMITTED, *CONTROLS)),
    ("POST", "/resume"): Operation("Accept jobs again", (*NOT_PERMITTED, *CONTROLS)),
    ("GET", "/rules"): Operation("Get the applied rules"),
    ("PUT", "/rules"): Operation(
        "Apply rules",
        (*refused_document(DocumentKind.RULES), *NOT_PERMITTED, *stale(DocumentKind.RULES)),
        body=bodies.RulesDocument,
        query=bodies.ReplacedVersion,
    ),
    ("GET", "/findings"): Operation(
        "List training jobs started outside the queue that break a rule, the newest first",
        refused(refusals.BadRequest),
        query=bodies.FindingsQuery,
    ),
    ("GET", "/pools"): Operation("List the warm pools, with their cost and the jobs that would start on them"),
    ("GET", "/pools/rules"): Operation("Get the applied pool rules"),
    ("PUT", "/pools/rules"): Operation(
        "Apply pool rules",
        (*refused_document(DocumentKind.POOL_RULES), *NOT_PERMITTED, *stale(DocumentKind.POOL_RULES)),
        body=bodies.PoolRulesDocument,
        query=bodies.ReplacedVersion,
    ),
    ("GET", "/prices"): Operation("Get the known prices"),
    ("PUT", "/prices"): Operation(
        "Apply prices",
        (*refused_document(DocumentKind.PRICES), *NOT_PERMITTED, *stale(DocumentKind.PRICES)),
        body=bodies.PricesDocument,
        query=bodies.ReplacedVersion,
    ),
    ("GET", "/spending"): Operation("Get the monthly spending limits, and how much of each is used"),
    ("PUT", "/spending"): Operation(
        "Apply spending limits",
        (*refused_document(DocumentKind.SPENDING), *NOT_PERMITTED, *stale(DocumentKind.SPENDING)),
        body=bodies.SpendingDocument,
        query=bodies.ReplacedVersion,
    ),
    ("GET", "/history"): Operation(
        "List the changes of all jobs, the oldest first",
        refused(refusals.BadRequest, refusals.UnknownToken),
        query=bodies.HistoryQuery,
    ),
    ("GET", "/whoami"): Operation("Get the caller's permissions"),
    ("GET", "/callers"): Operation("Get the applied callers document", NOT_PERMITTED),
    ("PUT", "/callers"): Operation(
        "Apply a callers document",
        (
            *refused_document(DocumentKind.CALLERS),
            *NOT_PERMITTED,
            *stale(DocumentKind.CALLERS),
            *refused(CallerLockedOut),
        ),
        body=bodies.CallersDocument,
        query=bodies.CallersQuery,
    ),
    ("POST", "/callers/check"): Operation(
        "Check a callers document: which jobs it would allow or deny; nothing is changed",
        (*refused_document(DocumentKind.CALLERS), *NOT_PERMITTED),
        body=bodies.CallersDocument,
    ),
    ("GET", "/calendar"): Operation("Get the applied calendar and its budgets"),
    ("PUT", "/calendar"): Operation(
        "Apply a calendar",
        (*refused_document(DocumentKind.CALENDAR), *NOT_PERMITTED, *stale(DocumentKind.CALENDAR)),
        body=bodies.CalendarDocument,
        query=bodies.ReplacedVersion,
    ),
    ("POST", "/calendar/check"): Operation(
        "Check a calendar: which budgets it would give; nothing is changed",
        refused_document(DocumentKind.CALENDAR),
        body=bodies.CalendarDocument,
    ),
    ("POST", "/rules/check"): Operation(
        "Check rules: which jobs they would refuse or stop; nothing is changed",
        (*refused_document(DocumentKind.RULES), *NOT_PERMITTED),
        body=bodies.RulesDocument,
    ),
}
