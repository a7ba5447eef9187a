"""What the code of a call does not tell of it: what it is for, what it takes, how it may be refused."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from api.documents import calendar, callers, prices, rules, spending
from api.history import changes
from api.jobs import actions, explanations, listing, submissions
from api.queue import budget, warm_pools
from openapi import bodies
from openapi.refusals import (
    BODY,
    BUSY,
    CALENDAR,
    CALLERS,
    CONTROLS,
    NOT_PERMITTED,
    POOL_RULES,
    PRICES,
    REQUEST,
    RULES,
    SPENDING,
    SUBMISSION,
    UNKNOWN_JOB,
    UNREADABLE,
    Refused,
    refused,
)
from scheduler.errors import config_errors, refusals


@dataclass(frozen=True, slots=True)
class Operation:
    """The handler's route and the type of its answer are read off the code."""

    handler: Callable[..., object]
    summary: str
    refusals: tuple[Refused, ...] = ()
    statuses: tuple[int, ...] = (200,)
    body: type[Any] | None = None
    query: type[Any] | None = None


def _wish(handler: Callable[..., object], summary: str, *against: type[refusals.BadRequest]) -> Operation:
    return Operation(handler, summary, (*UNKNOWN_JOB, *NOT_PERMITTED, *refused(*against), *BUSY, *UNREADABLE), (202,))


OPERATIONS = (
    Operation(
        submissions.add_job,
        "Submit a CreateTrainingJob request as it is; 200 if it is the same job again",
        (*SUBMISSION, *BUSY),
        (201, 200),
        bodies.TrainingRequest,
    ),
    Operation(
        submissions.submit_job,
        "Submit a request with options and a client's token; 200 if it is the same job again",
        (*SUBMISSION, *BUSY),
        (201, 200),
        bodies.Submission,
    ),
    Operation(
        explanations.what_if,
        "Tell what would become of a submission; nothing is stored",
        SUBMISSION,
        body=bodies.Submission,
    ),
    Operation(
        listing.list_jobs,
        "List jobs: what holds instances, what waits in its order, what has ended, the newest first",
        refused(refusals.BadRequest, refusals.UnknownToken),
        query=bodies.ListQuery,
    ),
    Operation(listing.show_job, "Show a job and its request", (*UNKNOWN_JOB, *REQUEST)),
    Operation(explanations.explain_job, "Tell why a job is where it is", UNKNOWN_JOB),
    _wish(actions.cancel_job, "Cancel a job", refusals.AlreadyFinished),
    _wish(actions.hold_job, "Keep a waiting job back", refusals.AlreadyFinished, refusals.NotQueued),
    _wish(actions.release_job, "Release a held job", refusals.AlreadyFinished, refusals.NotHeld),
    Operation(
        actions.requeue_job,
        "Ask for another attempt",
        (
            *(*BODY, *UNKNOWN_JOB, *NOT_PERMITTED),
            *refused(refusals.AlreadyFinished, refusals.StillHeld, refusals.AlreadyCancelled),
            *(*BUSY, *UNREADABLE),
        ),
        (202,),
        bodies.Requeue,
    ),
    _wish(
        actions.top_job, "Move a job before all of its priority that wait", refusals.AlreadyFinished, refusals.NotQueued
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
    Operation(budget.show_queue, "Show the queue at a glance"),
    Operation(budget.show_budget, "Show the budget in force", UNREADABLE),
    Operation(budget.set_budget, "Replace the budget", (*BODY, *NOT_PERMITTED, *CONTROLS), body=bodies.NewBudget),
    Operation(budget.reset_budget, "Go back to the budget of the stack's parameter", (*NOT_PERMITTED, *CONTROLS)),
    Operation(budget.drain, "Accept no new jobs", (*NOT_PERMITTED, *CONTROLS)),
    Operation(budget.resume, "Accept jobs again", (*NOT_PERMITTED, *CONTROLS)),
    Operation(rules.show_rules, "Show the rules in force"),
    Operation(
        rules.apply_rules,
        "Put other rules into force",
        (*RULES, *NOT_PERMITTED, *refused(config_errors.StaleRules)),
        body=bodies.RulesDocument,
        query=bodies.ReplacedVersion,
    ),
    Operation(
        rules.list_findings,
        "List what the rules had against training jobs that went round the queue, the newest first",
        refused(refusals.BadRequest),
        query=bodies.FindingsQuery,
    ),
    Operation(warm_pools.show_pools, "List the warm pools, with what they cost and who would take them over"),
    Operation(warm_pools.show_pool_rules, "Show the rules of warm pools in force"),
    Operation(
        warm_pools.apply_pool_rules,
        "Put other rules of warm pools into force",
        (*POOL_RULES, *NOT_PERMITTED, *refused(config_errors.StalePoolRules)),
        body=bodies.PoolRulesDocument,
        query=bodies.ReplacedVersion,
    ),
    Operation(prices.show_prices, "Show what instances cost, as far as that is known"),
    Operation(
        prices.apply_prices,
        "Put other prices into force",
        (*PRICES, *NOT_PERMITTED, *refused(config_errors.StalePrices)),
        body=bodies.PricesDocument,
        query=bodies.ReplacedVersion,
    ),
    Operation(spending.show_spending, "Show the limits on what may be spent in a month, and how far they are used"),
    Operation(
        spending.apply_spending,
        "Put other limits into force",
        (*SPENDING, *NOT_PERMITTED, *refused(config_errors.StaleSpending)),
        body=bodies.SpendingDocument,
        query=bodies.ReplacedVersion,
    ),
    Operation(
        changes.show_history,
        "Show the history of all jobs, the oldest change first",
        refused(refusals.BadRequest, refusals.UnknownToken),
        query=bodies.HistoryQuery,
    ),
    Operation(callers.whoami, "Tell what the caller may do"),
    Operation(callers.show_callers, "Show who may do what", NOT_PERMITTED),
    Operation(
        callers.apply_callers,
        "Lay down anew who may do what",
        (*CALLERS, *refused(config_errors.StaleCallers, config_errors.CallerLockedOut)),
        body=bodies.CallersDocument,
        query=bodies.CallersQuery,
    ),
    Operation(
        callers.check_callers,
        "Tell what another document of callers would mean; nothing is changed",
        CALLERS,
        body=bodies.CallersDocument,
    ),
    Operation(calendar.show_calendar, "Show the calendar and the budgets that it gives"),
    Operation(
        calendar.apply_calendar,
        "Put another calendar into force",
        (*CALENDAR, *NOT_PERMITTED, *refused(config_errors.StaleCalendar)),
        body=bodies.CalendarDocument,
        query=bodies.ReplacedVersion,
    ),
    Operation(
        calendar.check_calendar,
        "Tell which budgets another calendar would give; nothing is changed",
        CALENDAR,
        body=bodies.CalendarDocument,
    ),
    Operation(
        rules.check_rules,
        "Tell what other rules would do; nothing is changed",
        (*RULES, *NOT_PERMITTED),
        body=bodies.RulesDocument,
    ),
)
