"""The attempts that a sweep polls: those without events, and each of the others now and then."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.stop_notice import StopNotice
from scheduler.core.reconciliation.polling import (
    POLL_INTERVAL,
    POLLS_PER_SWEEP,
    due_in_sweep,
    for_list_polling,
    reported_ended,
    select_for_sweep,
    swept_through,
)
from support.builders.jobs import NOON, a_job, a_sighting, an_attempt, changed_job, launching

MINUTE = timedelta(minutes=1)


def live(
    name: str = "job", *, state: JobState = JobState.RUNNING, has_preferences: bool = False, **changes: Any
) -> LiveJob:
    job = launching(a_job(name))
    told: dict[str, Any] = {"created": True, "observation": a_sighting(by_event=True)} | changes
    return LiveJob(a_job(name, state=state, attempts=1, has_preferences=has_preferences), an_attempt(job, **told))


def polled_minutes(live_job: LiveJob, minutes: int) -> list[int]:
    """Returns the minutes at which the attempt is polled, with one sweep a minute."""
    times = [(minute, NOON + minute * MINUTE) for minute in range(1, minutes + 1)]
    return [minute for minute, now in times if due_in_sweep([live_job], now - MINUTE, now)]


def test_an_attempt_whose_events_arrive_is_polled_less_and_less_often() -> None:
    assert polled_minutes(live(), 50) == [1, 15, 30, 45]


def test_an_attempt_under_notice_trains_as_before_and_is_polled_as_seldom_until_its_stop_is_sent() -> None:
    notice = StopNotice(NOON, NOON + 10 * MINUTE)
    assert polled_minutes(live(state=JobState.STOPPING, notice=notice), 10) == [1]
    assert polled_minutes(live(state=JobState.STOPPING, notice=notice, stop_sent=True), 10) == list(range(1, 11))


def test_a_training_of_ten_minutes_is_polled_once_before_its_end() -> None:
    assert len(polled_minutes(live(), 11)) == 1


@pytest.mark.parametrize(
    "live_job",
    [
        live(observation=None),
        live(observation=a_sighting()),
        live(state=JobState.STOPPING),
        live(observation=a_sighting(by_event=True, secondary_status="Interrupted")),
        live(observation=a_sighting(by_event=True, secondary_status="Downloading")),
        live(has_preferences=True),
    ],
    ids=[
        "nothing is known",
        "no event told of it",
        "it is being stopped",
        "it waits for instances",
        "it starts",
        "no event tells what was selected",
    ],
)
def test_each_sweep_polls_an_attempt_that_may_change_without_an_event(live_job: LiveJob) -> None:
    assert polled_minutes(live_job, 3) == [1, 2, 3]


def test_an_attempt_that_became_due_during_lost_sweeps_is_polled_later() -> None:
    late = NOON + 3 * POLL_INTERVAL + MINUTE
    assert due_in_sweep([live()], late - POLL_INTERVAL - 2 * MINUTE, late)
    assert due_in_sweep([live()], None, NOON + MINUTE)


def test_too_many_attempts_that_are_due_each_sweep_are_drawn_at_random() -> None:
    crowd = [live(f"job-{number}", observation=None) for number in range(3 * POLLS_PER_SWEEP)]
    asked = [{live_job.job.name for live_job in select_for_sweep(crowd, NOON + MINUTE, seed)} for seed in range(20)]
    assert {len(names) for names in asked} == {POLLS_PER_SWEEP}
    assert set().union(*asked) == {live_job.job.name for live_job in crowd}


def test_too_many_attempts_that_became_due_are_each_polled_once() -> None:
    heard = [NOON + timedelta(seconds=number) for number in range(3 * POLLS_PER_SWEEP)]
    crowd = [
        live(f"job-{number:02}", observation=a_sighting(by_event=True, modified_at=moment))
        for number, moment in enumerate(heard)
    ]
    swept_until, asked = NOON, []
    for minute in range(3, 7):
        now = NOON + minute * MINUTE
        due = due_in_sweep(crowd, swept_until, now)
        some = select_for_sweep(due, now, seed=minute)
        swept_until = swept_through([live_job for live_job in due if live_job not in some], now)
        asked += [live_job.job.name for live_job in some]
    assert sorted(asked) == [live_job.job.name for live_job in crowd]


def test_an_attempt_whose_end_an_event_reported_waits_for_no_sweep() -> None:
    ended = live(needs_polling=True)
    assert reported_ended([ended, live("other")]) == (ended,)
    assert not due_in_sweep([ended], None, NOON)


def test_a_call_of_list_replaces_first_polls() -> None:
    crowd = [live(f"job-{number}") for number in range(3)]
    assert for_list_polling(crowd, NOON + MINUTE) == tuple(crowd)
    assert for_list_polling(crowd, NOON + POLL_INTERVAL) == ()


def test_a_call_of_list_replaces_at_least_three_polls() -> None:
    assert for_list_polling([live("a"), live("b")], NOON + MINUTE) == ()


def test_a_call_of_list_does_not_replace_polls_of_attempts_without_events() -> None:
    crowd = [live(f"job-{number}", observation=a_sighting()) for number in range(3)]
    assert for_list_polling(crowd, NOON + MINUTE) == ()


def test_a_call_of_list_does_not_replace_polls_of_spot_jobs_since_it_has_no_interruptions() -> None:
    crowd = [live(f"job-{number}") for number in range(3)]
    on_spot = [replace(live_job, job=changed_job(live_job.job, spot=True)) for live_job in crowd]
    assert for_list_polling([*crowd, *on_spot], NOON + MINUTE) == tuple(crowd)
    settled = [replace(live_job, job=changed_job(live_job.job, on_demand=True)) for live_job in on_spot]
    assert for_list_polling(settled, NOON + MINUTE) == tuple(settled)
