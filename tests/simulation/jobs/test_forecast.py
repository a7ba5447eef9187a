"""Explanations and forecasts, asked while the scheduler runs."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.ordering.candidate_selection import MIN_PER_GROUP
from scheduler.queue.explanations import ForecastReader
from scheduler.queue.job_status import MAX_COUNTED_FOR_ONE_JOB
from support.account.simulated_queue import SimulatedQueue
from support.builders.jobs import changed_job


@pytest.fixture
def world() -> SimulatedQueue:
    """Two instances are held, and one job more waits than are looked at."""
    world = SimulatedQueue()
    world.submit("wide", instances=2)
    world.run(60)
    for number in range(MIN_PER_GROUP + 1):
        world.submit(f"job-{number:02}")
    return world


@pytest.fixture
def forecasts(world: SimulatedQueue) -> ForecastReader:
    return ForecastReader(world.queue.snapshot_reader, world.choice_check, world.store, world.clock)


def test_a_waiting_job_knows_its_place_what_it_waits_for_and_when_it_may_start(
    world: SimulatedQueue, forecasts: ForecastReader
) -> None:
    first = forecasts.of(world.job("job-00"))
    assert first is not None
    assert (first.position, first.reason.code) == (1, ReasonCode.WAITS_FOR_BUDGET)
    assert first.waits_for == ("wide",)
    assert first.starts.latest is not None
    assert timedelta(0) < first.starts.latest - world.clock.now() <= timedelta(days=1)


def test_a_job_behind_all_candidates_has_a_position_and_a_reason_but_no_start_time(
    world: SimulatedQueue, forecasts: ForecastReader
) -> None:
    last = forecasts.of(world.job(f"job-{MIN_PER_GROUP:02}"))
    assert last is not None
    assert (last.position, last.reason.code) == (MIN_PER_GROUP + 1, ReasonCode.WAITS_BEHIND)
    assert (last.starts.earliest, last.starts.latest) == (None, None)


def test_a_job_that_is_about_to_start_shows_it() -> None:
    world = SimulatedQueue()
    world.submit("one")
    forecasts = ForecastReader(world.queue.snapshot_reader, world.choice_check, world.store, world.clock)
    explanation = forecasts.of(world.job("one"))
    assert explanation is not None
    assert (explanation.reason.code, explanation.starts.latest) == (ReasonCode.FITS, world.clock.now())


def test_a_job_that_does_not_wait_has_nothing_to_explain(world: SimulatedQueue, forecasts: ForecastReader) -> None:
    assert forecasts.of(world.job("wide")) is None


def test_the_forecast_of_a_job_is_given_without_recording_it(world: SimulatedQueue, forecasts: ForecastReader) -> None:
    elsewhere = SimulatedQueue()
    elsewhere.submit("urgent", priority=9)
    urgent = elsewhere.job("urgent")
    forecast = forecasts.if_submitted(urgent)
    assert (forecast.starts_now, forecast.behind, forecast.preempts) == (False, 0, ("wide",))
    assert "urgent" not in world.store.jobs


def test_no_more_places_are_counted_than_one_read_gives(world: SimulatedQueue, forecasts: ForecastReader) -> None:
    last = world.job(f"job-{MIN_PER_GROUP:02}")
    crowd = (f"crowd-{number}" for number in range(MAX_COUNTED_FOR_ONE_JOB - MIN_PER_GROUP))
    world.store.jobs |= {name: changed_job(last, name=name, priority=1) for name in crowd}
    explanation = forecasts.of(last)
    assert explanation is not None
    assert (explanation.position, explanation.reason.code) == (None, ReasonCode.WAITS_BEHIND)
    assert forecasts.if_submitted(replace(last, name="new")).behind is None
    assert world.queue.job_status_reader.of(last).position is None
