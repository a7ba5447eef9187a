"""Makes the JSON of the operators' documents, and of what checks of new ones show (docs/api.md)."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from api.answers import time_view, violation_view
from api.documents import document_answers
from scheduler.config.dry_run import DryRun
from scheduler.core.calendar.calendar import Period
from scheduler.core.callers.permissions import Callers
from scheduler.core.documents.document import Document
from scheduler.core.guardrails.rules import Verdict
from scheduler.core.jobs.principal import principal_of
from scheduler.core.spending.limit_use import LimitUse
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.spending.spent_time import Month

_DIGITS = 4


def document_view(document: Document | None, default_text: str) -> document_answers.DocumentAnswer:
    """Returns the JSON of the document; without one, that of version 0 with `default_text`."""
    if document is None:
        return {"version": 0, "text": default_text, "changed_by": None, "changed_at": None}
    return {
        "version": document.version,
        "text": document.text,
        "changed_by": document.written_by,
        "changed_at": time_view(document.written_at),
    }


def periods_view(periods: Iterable[Period]) -> list[document_answers.Period]:
    return [
        {
            "begins": time_view(period.begins),
            "budget": period.budget.as_dict(),
            "excess": {instance_type: period.excess.of(instance_type) for instance_type in period.budget.types},
            "windows": list(period.windows),
        }
        for period in periods
    ]


def prices_view(prices: PriceList) -> dict[str, document_answers.Price]:
    instance_types = sorted({*prices.known, *prices.spot_shares, *prices.gpus})
    return {instance_type: _price_view(instance_type, prices) for instance_type in instance_types}


def _price_view(instance_type: str, prices: PriceList) -> document_answers.Price:
    price, share = prices.known.get(instance_type), prices.spot_shares.get(instance_type)
    return {
        "dollars_per_hour": float(price.per_hour) if price else None,
        "as_of": price.as_of.isoformat() if price else None,
        "source": price.source if price else None,
        "spot_share": None if share is None else float(share),
        "gpus": prices.gpus_of(instance_type),
    }


def month_view(month: Month) -> document_answers.MonthlySpending:
    return {
        "name": month.name,
        "begins": time_view(month.begins),
        "ends": time_view(month.ends),
        "time_zone": str(month.begins.tzinfo),
    }


def use_view(use: LimitUse, prices: PriceList, month: Month, now: datetime) -> document_answers.SpendingUse:
    limit, amount = use.limit, use.amount(prices)
    running = use.running.amount(limit.measure, prices) if amount is not None else None
    return {
        "limit": limit.name,
        "kind": use.scope.kind,
        "scope": use.scope.name,
        "measure": limit.measure,
        "most": float(limit.most),
        "used": _rounded(amount),
        "running": _rounded(running),
        "forecast": _rounded(use.forecast(prices, month, now)),
        "warn_at": float(limit.warn_at),
        "then": limit.then,
        "state": use.state(prices),
        "reason": use.description(prices, month),
    }


def _rounded(amount: Decimal | None) -> float | None:
    return None if amount is None else round(float(amount), _DIGITS)


def whoami_view(callers: Callers, caller: str) -> document_answers.WhoAmI:
    principal = principal_of(caller)
    entry = callers.entry_of(principal)
    return {
        "arn": caller,
        "principal": str(principal) if principal else None,
        "entry": entry.name,
        "verbs": sorted(callers.verbs_of(principal)),
        "teams": list(entry.teams),
        "execution_roles": list(entry.execution_roles or (callers.execution_roles,)),
        "instance_types": None if entry.instance_types is None else list(entry.instance_types),
        "priority_ceiling": entry.priority_ceiling,
    }


def dry_run_view(result: DryRun) -> document_answers.DryRun:
    jobs: list[document_answers.ChangedVerdict] = [
        {
            "name": change.job.name,
            "state": change.job.status.state,
            "before": _verdict_view(change.before),
            "after": _verdict_view(change.after),
        }
        for change in result.changes
    ]
    return {"checked": result.checked, "complete": result.is_complete, "jobs": jobs}


def _verdict_view(verdict: Verdict) -> document_answers.Verdict:
    return {
        "violations": [violation_view(violation) for violation in verdict.enforced],
        "warnings": [violation_view(violation) for violation in verdict.warnings],
    }
