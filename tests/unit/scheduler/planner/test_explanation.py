"""Explanations and forecasts, case by case."""

from dataclasses import replace
from datetime import timedelta

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.explanation import explain, forecast_submission
from support.builders.jobs import GPU, NOON
from support.builders.snapshots import a_snapshot, gpus, running, waiting

HOUR = timedelta(hours=1)
P5_TYPE = "ml.p5.48xlarge"
P5 = Demand.of({P5_TYPE: 1})
NOW = NOON + HOUR


def test_a_waiting_job_shows_its_position_and_the_jobs_it_waits_for() -> None:
    live = [running("long", 5, max_runtime=7200 * 2), running("short", 5, max_runtime=7200)]
    told = explain(a_snapshot(2, *live, waiting("first", 1), waiting("second", 1, after=1)), NOW)
    assert (told["first"].position, told["first"].waits_for) == (1, ("short",))
    assert (told["second"].position, told["second"].waits_for) == (2, ("long",))
    assert told["first"].starts.latest == NOON + 2 * HOUR
    assert told["second"].reason.code is ReasonCode.WAITS_BEHIND


def test_the_reason_of_a_beneficiary_names_the_stopped_job() -> None:
    told = explain(a_snapshot(1, running("low", 0), waiting("high", 3)), NOW)
    assert told["high"].waits_for == ("low",)
    assert told["high"].starts.latest == NOW


def test_a_job_whose_instances_others_hold_for_ever_has_no_estimate() -> None:
    told = explain(a_snapshot(1, waiting("a"), waiting("b", needs=1, after=1)), NOW)
    assert told["b"].starts.latest == NOW + timedelta(days=1)


def test_a_job_of_a_type_that_the_budget_leaves_out_has_no_estimate_and_takes_none_from_the_others() -> None:
    live, queued = running("holder", max_runtime=7200), [waiting("next"), waiting("other", demand=gpus(1) + P5)]
    told = explain(
        replace(a_snapshot(1, live, *queued), largest_later_budget=Budget(gpus(1) + P5, (GPU, P5_TYPE))), NOW
    )
    assert (told["other"].starts.earliest, told["other"].starts.latest) == (None, None)
    assert told["next"].starts.latest == NOON + 2 * HOUR


def test_the_latest_start_of_a_job_with_a_place_is_what_is_reserved_for_it() -> None:
    later = waiting("later", 9, not_before=NOW + HOUR, max_runtime=86_400)
    told = explain(a_snapshot(1, running("holder", 9, max_runtime=7200), later, waiting("next")), NOW)
    assert told["next"].starts.latest == NOON + 2 * HOUR


def test_what_if_says_that_a_job_would_start_now() -> None:
    assert forecast_submission(a_snapshot(1), waiting("new"), NOW).starts_now


def test_what_if_counts_the_jobs_that_would_be_ahead() -> None:
    snapshot = a_snapshot(1, running("holder", 5), waiting("a", 2), waiting("b", 1))
    forecast = forecast_submission(snapshot, waiting("new", 1, after=30), NOW)
    assert (forecast.starts_now, forecast.behind, forecast.preempts) == (False, 2, ())


def test_what_if_names_the_jobs_that_would_be_preempted_and_changes_nothing() -> None:
    snapshot = a_snapshot(1, running("low", 0))
    assert forecast_submission(snapshot, waiting("new", 1), NOW).preempts == ("low",)
    assert snapshot.queued == ()
