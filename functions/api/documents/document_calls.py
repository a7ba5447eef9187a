"""Calls on the operators' documents: get, apply or only check one. `ANSWERS` and `DRY_RUNS` differ. And GET /whoami."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from api.call import Call
from api.documents import document_answers
from api.documents.document_views import (
    document_view,
    dry_run_view,
    month_view,
    periods_view,
    prices_view,
    use_view,
    whoami_view,
)
from scheduler.admission.authorization import refuse_lock_out
from scheduler.core.calendar.calendar import Calendar
from scheduler.core.callers.permissions import Callers, Verb
from scheduler.core.documents.document import Document, DocumentKind
from scheduler.core.guardrails.rules import Rules
from scheduler.errors.config_errors import BadDocument
from scheduler.errors.refusals import BadRequest
from scheduler.wiring import config, shared

_NO_CALLERS = """{
  "format": 1,
  "callers": [
    {"name": "everybody", "principals": ["*"], "verbs": ["submit", "control_own"]}
  ]
}"""


def get_document(kind: DocumentKind, call: Call) -> document_answers.DocumentAnswer:
    if kind is DocumentKind.CALLERS:
        shared.authorization().require(Verb.OPERATE, call.caller)
    return ANSWERS[kind](config.editor(kind).get())


def apply_document(kind: DocumentKind, call: Call) -> document_answers.DocumentAnswer:
    shared.authorization().require(Verb.OPERATE, call.caller)
    replaces = _replaced_version(call)
    keeps_access = kind is DocumentKind.CALLERS and not _is_hand_over(call)
    check = partial(refuse_lock_out, call.caller) if keeps_access else None
    return ANSWERS[kind](config.editor(kind).apply(call.body, call.caller, replaces, check))


def check_document(kind: DocumentKind, call: Call) -> Mapping[str, Any]:
    if kind is not DocumentKind.CALENDAR:  # budgets are no secret, but jobs and permissions of others are
        shared.authorization().require(Verb.OPERATE, call.caller)
    return DRY_RUNS[kind](config.editor(kind).parsed(call.body), call.caller)


def whoami(call: Call) -> document_answers.WhoAmI:
    return whoami_view(shared.authorization().callers(), call.caller)


def _replaced_version(call: Call) -> int | None:
    """Returns the version that the caller wants to replace; None replaces any. Raises BadRequest."""
    text = call.query.get("replaces")
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,8}", text):
        remedy = "Pass the version that GET gave, or leave it out."
        raise BadRequest(f"{text[:20]!r} is not a version of the document", field="replaces", remedy=remedy)
    return int(text)


def _is_hand_over(call: Call) -> bool:
    text = call.query.get("hand_over", "false")
    if text not in ("true", "false"):
        raise BadRequest(
            f"{text[:20]!r} is neither true nor false", field="hand_over", remedy="Use true, or leave it out."
        )
    return text == "true"


# Without a document, the answer has a text with the same effect as none.


def _rules(document: Document | None) -> document_answers.Rules:
    return {**document_view(document, '{"format": 1, "rules": []}')}


def _callers(document: Document | None) -> document_answers.Callers:
    return {**document_view(document, _NO_CALLERS)}


def _calendar(document: Document | None) -> document_answers.Calendar:
    budgets = config.budget_and_intake().scheduled_budgets()
    return {
        **document_view(document, '{"format": 1, "time_zone": "UTC", "windows": []}'),
        "rests": budgets.calendar_rests,
        "periods": periods_view((budgets.now, *budgets.coming)),
    }


def _pool_rules(document: Document | None) -> document_answers.PoolRules:
    return {**document_view(document, '{"format": 1, "pools": []}')}


def _prices(document: Document | None) -> document_answers.Prices:
    prices = shared.prices().with_document(document)
    return {
        **document_view(document, '{"format": 1, "as_of": "2026-11-22", "prices": []}'),
        "region": prices.region,
        "prices": prices_view(prices),
    }


def _spending(document: Document | None) -> document_answers.Spending:
    try:
        use = shared.spending_reader().uses_in_month(shared.job_stores().live_attempts.live())
    except BadDocument:
        use = None
    prices, now = shared.prices().current(), shared.clock().now()
    return {
        **document_view(document, '{"format": 1, "time_zone": "UTC", "limits": []}'),
        "readable": document is None or use is not None,
        "month": month_view(use[0]) if use else None,
        "uses": [use_view(limit_use, prices, use[0], now) for limit_use in use[1]] if use else [],
    }


ANSWERS: Mapping[DocumentKind, Callable[[Document | None], document_answers.DocumentAnswer]] = {
    DocumentKind.RULES: _rules,
    DocumentKind.CALLERS: _callers,
    DocumentKind.CALENDAR: _calendar,
    DocumentKind.POOL_RULES: _pool_rules,
    DocumentKind.PRICES: _prices,
    DocumentKind.SPENDING: _spending,
}


def _rules_dry_run(rules: Rules, _caller: str) -> document_answers.DryRun:
    return dry_run_view(config.dry_runs().of_rules(rules))


def _callers_dry_run(callers: Callers, caller: str) -> document_answers.CallersDryRun:
    return {**dry_run_view(config.dry_runs().of_callers(callers)), "you": whoami_view(callers, caller)}


def _calendar_dry_run(calendar: Calendar, _caller: str) -> document_answers.CalendarDryRun:
    return {"periods": periods_view(config.budget_and_intake().budgets_under(calendar))}


DRY_RUNS: Mapping[DocumentKind, Callable[[Any, str], Mapping[str, Any]]] = {
    DocumentKind.RULES: _rules_dry_run,
    DocumentKind.CALLERS: _callers_dry_run,
    DocumentKind.CALENDAR: _calendar_dry_run,
}
