"""Describes each call: its purpose, its body and query, and its refusals."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from api.documents import calendar, callers, pool_rules, prices, rules, spending
from api.history import changes
from api.jobs import actions, explanations, listing, submissions
from api.queue import budget, findings, summary, warm_pools
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
    """A call. Its route and the type of its answer are read from the code of its handler."""

    handler: Callable[..., object]
    summary: str
    refusals: tuple[Refused, ...] = ()
    statuses: tuple[int, ...] = (200,)
    body: type[Any] | None = None
    query: type[Any] | None = None


def _job_action(handler: Callable[..., object], summary: str, *kinds: type[refusals.BadRequest]) -> Operation:
    return Operation(handler, summary, (*UNKNOWN_JOB, *NOT_PERMITTED, *refused(*kinds), *BUSY, *UNREADABLE), (202,))


OPERATIONS = (
    Operation(
        submissions.add_job,
        "Submit a CreateTrainingJob request unchanged; 200 if the same job was submitted before",
        (*SUBMISSION, *BUSY),
        (201, 200),
        bodies.TrainingRequest,
    ),
    Operation(
        submissions.submit_job,
        "Submit a request with options and a client token; 200 if the same job was submitted before",
        (*SUBMISSION, *BUSY),
        (201, 200),
        bodies.Submission,
    ),
    Operation(
        explanations.forecast_submission,
        "Forecast the start of a submission; nothing is stored",
        SUBMISSION,
        body=bodies.Submission,
    ),
    Operation(
        listing.list_jobs,
        "List jobs: running, waiting in their order, then ended, the newest first",
        refused(refusals.BadRequest, refusals.UnknownToken),
        query=bodies.ListQuery,
    ),
    Operation(listing.get_job, "Get a job and its request", (*UNKNOWN_JOB, *REQUEST)),
    Operation(explanations.explain_job, "Explain why a job waits", UNKNOWN_JOB),
    _job_action(actions.cancel_job, "Cancel a job", refusals.AlreadyFinished),
    _job_action(actions.hold_job, "Hold a waiting job", refusals.AlreadyFinished, refusals.NotQueued),
    _job_action(actions.release_job, "Release a held job", refusals.AlreadyFinished, refusals.NotHeld),
    Operation(
        actions.requeue_job,
        "Run a job again",
        (
            *(*BODY, *UNKNOWN_JOB, *NOT_PERMITTED),
            *refused(refusals.AlreadyFinished, refusals.StillHeld, refusals.AlreadyCancelled),
            *(*BUSY, *UNREADABLE),
        ),
        (202,),
        bodies.Requeue,
    ),
    _job_action(
        actions.top_job,
        "Move a job before all waiting jobs of its priority",
        refusals.AlreadyFinished,
        refusals.NotQueued,
    ),
    Operation(
        actions.prioritise_job,
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
    Operation(actions.cancel_jobs, "Cancel jobs by filter", (*BODY, *BUSY), body=bodies.Cancellation),
    Operation(summary.get_queue, "Get the queue at a glance"),
    Operation(budget.get_budget, "Get the current budget", UNREADABLE),
    Operation(budget.set_budget, "Replace the budget", (*BODY, *NOT_PERMITTED, *CONTROLS), body=bodies.NewBudget),
    Operation(budget.reset_budget, "Reset the budget to the stack's parameter", (*NOT_PERMITTED, *CONTROLS)),
    Operation(budget.drain, "Stop accepting jobs", (*NOT_PERMITTED, *CONTROLS)),
    Operation(budget.resume, "Accept jobs again", (*NOT_PERMITTED, *CONTROLS)),
    Operation(rules.get_rules, "Get the applied rules"),
    Operation(
        rules.apply_rules,
        "Apply rules",
        (*refused_document(DocumentKind.RULES), *NOT_PERMITTED, *stale(DocumentKind.RULES)),
        body=bodies.RulesDocument,
        query=bodies.ReplacedVersion,
    ),
    Operation(
        findings.list_findings,
        "List training jobs started outside the queue that break a rule, the newest first",
        refused(refusals.BadRequest),
        query=bodies.FindingsQuery,
    ),
    Operation(warm_pools.list_pools, "List the warm pools, with their cost and the jobs that would start on them"),
    Operation(pool_rules.get_pool_rules, "Get the applied pool rules"),
    Operation(
        pool_rules.apply_pool_rules,
        "Apply pool rules",
        (*refused_document(DocumentKind.POOL_RULES), *NOT_PERMITTED, *stale(DocumentKind.POOL_RULES)),
        body=bodies.PoolRulesDocument,
        query=bodies.ReplacedVersion,
    ),
    Operation(prices.get_prices, "Get the known prices"),
    Operation(
        prices.apply_prices,
        "Apply prices",
        (*refused_document(DocumentKind.PRICES), *NOT_PERMITTED, *stale(DocumentKind.PRICES)),
        body=bodies.PricesDocument,
        query=bodies.ReplacedVersion,
    ),
    Operation(spending.get_spending, "Get the monthly spending limits, and how much of each is used"),
    Operation(
        spending.apply_spending,
        "Apply spending limits",
        (*refused_document(DocumentKind.SPENDING), *NOT_PERMITTED, *stale(DocumentKind.SPENDING)),
        body=bodies.SpendingDocument,
        query=bodies.ReplacedVersion,
    ),
    Operation(
        changes.list_changes,
        "List the changes of all jobs, the oldest first",
        refused(refusals.BadRequest, refusals.UnknownToken),
        query=bodies.HistoryQuery,
    ),
    Operation(callers.whoami, "Get the caller's permissions"),
    Operation(callers.get_callers, "Get the applied callers document", NOT_PERMITTED),
    Operation(
        callers.apply_callers,
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
    Operation(
        callers.check_callers,
        "Check a callers document: which jobs it would allow or deny; nothing is changed",
        (*refused_document(DocumentKind.CALLERS), *NOT_PERMITTED),
        body=bodies.CallersDocument,
    ),
    Operation(calendar.get_calendar, "Get the applied calendar and its budgets"),
    Operation(
        calendar.apply_calendar,
        "Apply a calendar",
        (*refused_document(DocumentKind.CALENDAR), *NOT_PERMITTED, *stale(DocumentKind.CALENDAR)),
        body=bodies.CalendarDocument,
        query=bodies.ReplacedVersion,
    ),
    Operation(
        calendar.check_calendar,
        "Check a calendar: which budgets it would give; nothing is changed",
        refused_document(DocumentKind.CALENDAR),
        body=bodies.CalendarDocument,
    ),
    Operation(
        rules.check_rules,
        "Check rules: which jobs they would refuse or stop; nothing is changed",
        (*refused_document(DocumentKind.RULES), *NOT_PERMITTED),
        body=bodies.RulesDocument,
    ),
)
