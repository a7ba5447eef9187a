"""Makes the JSON of the cost of jobs (docs/api.md)."""

from decimal import Decimal

from api.jobs import cost_answers, job_answers
from scheduler.core.spending.prices.cost import Cost, JobCost
from scheduler.core.spending.prices.cost_range import CostRange

_DIGITS = 6


def with_cost(job: job_answers.Job, cost: JobCost) -> job_answers.Job:
    """Returns the job's JSON with its cost, and with that of each attempt."""
    priced = zip(job["attempts"], cost.attempts, strict=True)
    attempts: list[job_answers.Attempt] = [
        {**attempt, "cost": _cost_view(attempt_cost) if attempt_cost else None} for attempt, attempt_cost in priced
    ]
    total: cost_answers.JobCost = {
        **_cost_view(cost.total),
        "unknown_types": list(cost.unknown),
        "prices_as_of": cost.as_of.isoformat() if cost.as_of else None,
    }
    return {**job, "attempts": attempts, "cost": total}


def cost_range_view(cost: CostRange) -> cost_answers.CostRange:
    return {
        "least_dollars": None if cost.least is None else _rounded(cost.least),
        "most_dollars": None if cost.most is None else _rounded(cost.most),
        "expected_run_time": cost.expected_run_time,
        "max_runtime": cost.max_runtime,
        "spot": cost.spot,
        "unknown_types": list(cost.unknown),
        "prices_as_of": cost.as_of.isoformat() if cost.as_of else None,
    }


def _cost_view(cost: Cost) -> cost_answers.AttemptCost:
    return {
        "dollars": _rounded(cost.training),
        "retained_dollars": _rounded(cost.retained),
        "saved_dollars": _rounded(cost.saved),
        "wasted_dollars_at_most": _rounded(cost.wasted_at_most),
        "final": cost.is_final,
    }


def _rounded(dollars: Decimal) -> float:
    return round(float(dollars), _DIGITS)
