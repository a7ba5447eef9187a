"""The texts of `why` and `whatif`."""

from datetime import UTC, datetime, timedelta

import pytest
from rich.console import Console, RenderableType

from sagequeue.contract.explanations import Explanation, Forecast, Starts
from sagequeue.tables.explanations import explanation_view, forecast_view
from sagequeue.tables.formats import local_time, rough
from unit.sagequeue.builders.costs import a_range

NOW = datetime(2026, 11, 21, 10, 5, tzinfo=UTC)
NOON, FIVE = "2026-11-21T12:05:00Z", "2026-11-21T15:05:00Z"


def text(view: RenderableType) -> str:
    console = Console(width=120, color_system=None)
    with console.capture() as capture:
        console.print(view)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def outlook(starts: Starts | None, *, starts_now: bool = False) -> Forecast:
    reason = {"code": "waits_for_budget", "message": "held by bert"}
    return {
        "starts_now": starts_now,
        "behind": 1,
        "preempts": [],
        "reason": reason,
        "starts": starts,
        "deadline": None,
        "cost_range": a_range(),
    }  # type: ignore[typeddict-item]  # a Reason


def start(earliest: str | None, latest: str | None, after: str | None = None) -> Starts:
    return {"earliest": earliest, "latest": latest, "after": after}


@pytest.mark.parametrize(
    ("starts", "told"),
    [
        (None, "not known yet"),
        (start(None, None), "not known yet"),
        (start(NOON, None, "bert"), f"in 2 h at the earliest, {local_time(NOON)}; after bert"),
        (start(NOON, NOON), f"in about 2 h, {local_time(NOON)}"),
        (start(NOON, FIVE), f"in 2 h to 5 h, between {local_time(NOON)} and {local_time(FIVE)}"),
    ],
)
def test_an_expected_start_is_a_range_in_local_time_and_from_now(starts: Starts | None, told: str) -> None:
    assert f"starts    {told}\n" in text(forecast_view(outlook(starts), NOW))


def test_a_job_beyond_the_counted_positions_shows_that() -> None:
    far: Forecast = {**outlook(None), "behind": None}
    assert "behind    more jobs than the queue counts\n" in text(forecast_view(far, NOW))


def test_a_job_that_would_start_now_is_behind_no_job() -> None:
    output = text(forecast_view(outlook(None, starts_now=True), NOW))
    assert "now" in output
    assert "behind" not in output


@pytest.mark.parametrize(
    ("span", "told"),
    [
        (timedelta(minutes=-5), "1 min"),
        (timedelta(seconds=100), "2 min"),
        (timedelta(minutes=89), "89 min"),
        (timedelta(minutes=100), "2 h"),
        (timedelta(hours=47), "47 h"),
        (timedelta(hours=60), "2 d"),
    ],
)
def test_an_estimate_has_one_unit(span: timedelta, told: str) -> None:
    assert rough(span) == told


def test_a_job_that_does_not_wait_shows_only_state_reason_and_pools() -> None:
    explanation: Explanation = {
        "name": "resnet",
        "state": "running",
        "position": None,
        "reason": {"code": "running", "message": ""},
        "waits_for": [],
        "priority": None,
        "starts": None,
        "near_limits": ["team vision has used 9.00 of 10 dollars"],
        "ranking": ["choice 2 (4 × ml.g5.xlarge spot): $6.56 at its time limit"],
        "deadline": "at_risk",
        "pools": [{"pool": "bert-sq-1", "fields": ["RoleArn"]}],
    }
    lines = text(explanation_view(explanation, None, NOW)).splitlines()
    assert lines == [
        "job       resnet",
        "state     running",
        "why       running",
        "spending  team vision has used 9.00 of 10 dollars",
        "rank 1    choice 2 (4 × ml.g5.xlarge spot): $6.56 at its time limit",
        "no match  the warm pool of bert-sq-1 differs in RoleArn",
    ]
