"""Builds costs as in API answers, for tests of the client."""

from typing import Any, cast

from sagequeue.contract.costs import AttemptCost, CostRange, JobCost


def a_cost(dollars: float = 12.3, **more: Any) -> AttemptCost:
    nothing = {"retained_dollars": 0.0, "saved_dollars": 0.0, "wasted_dollars_at_most": 0.0, "final": True}
    return cast(AttemptCost, {"dollars": dollars, **nothing, **more})


def a_job_cost(dollars: float = 12.3, **more: Any) -> JobCost:
    return cast(JobCost, {**a_cost(dollars), "unknown_types": [], "prices_as_of": "2026-09-25", **more})


def a_range(**more: Any) -> CostRange:
    told = {"least_dollars": 0.5, "most_dollars": 2.0, "expected_run_time": 900.0, "max_runtime": 3600}
    return cast(CostRange, {**told, "spot": False, "unknown_types": [], "prices_as_of": "2026-09-25", **more})
