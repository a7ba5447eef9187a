"""Which attempts a sweep asks SageMaker about: those of which no event came, and each now and then."""

from datetime import timedelta
from typing import Any

import pytest
from attrs import evolve

from scheduler.core.jobs.job import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.polling import (
    POLL_INTERVAL,
    POLLS_PER_SWEEP,
    due_in_sweep,
    for_list_polling,
    reported_ended,
    select_for_sweep,
    swept_through,
)
from support.builders.jobs import NOON, a_job, a_sighting, an_attempt, launching

MINUTE = timedelta(minutes=1)


def live(
    name: str = "job", *, state: JobState = JobState.RUNNING, has_preferences: bool = False, **changes: Any
) -> LiveJob:
    job = launching(a_job(name))
    told: dict[str, Any] = {"created": True, "observation": a_sighting(by_event=True)} | changes
    return LiveJob(a_job(name, state=state, attempts=1, has_preferences=has_preferences), an_attempt(job, **told))


def looks(one: LiveJob, minutes: int) -> list[int]:
    """At which minutes of sweeps, one a minute, it is asked about."""
    times = [(minute, NOON + minute * MINUTE) for minute in range(1, minutes + 1)]
    return [minute for minute, now in times if due_in_sweep([one], now - MINUTE, now)]


def test_an_attempt_whose_events_come_is_asked_about_ever_more_rarely() -> None:
    assert looks(live(), 50) == [1, 15, 30, 45]


def test_a_training_of_ten_minutes_is_asked_about_once_on_its_way() -> None:
    assert len(looks(live(), 11)) == 1


@pytest.mark.parametrize(
    "one",
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
def test_each_sweep_asks_about_one_that_may_change_unheard(one: LiveJob) -> None:
    assert looks(one, 3) == [1, 2, 3]


def test_sweeps_that_were_lost_cost_no_attempt_its_turn() -> None:
    late = NOON + 3 * POLL_INTERVAL + MINUTE
    assert due_in_sweep([live()], late - POLL_INTERVAL - 2 * MINUTE, late)
    assert due_in_sweep([live()], None, NOON + MINUTE)


def test_of_too_many_some_are_drawn_by_lot_another_time_others() -> None:
    crowd = [live(f"job-{number}", observation=None) for number in range(3 * POLLS_PER_SWEEP)]
    asked = [{one.job.name for one in select_for_sweep(crowd, NOON + MINUTE, seed)} for seed in range(20)]
    assert {len(names) for names in asked} == {POLLS_PER_SWEEP}
    assert set().union(*asked) == {one.job.name for one in crowd}


def test_of_too_many_whose_turn_it_is_each_is_asked_about_once() -> None:
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
        swept_until = swept_through([one for one in due if one not in some], now)
        asked += [one.job.name for one in some]
    assert sorted(asked) == [one.job.name for one in crowd]


def test_an_attempt_that_an_event_called_ended_waits_for_no_sweep() -> None:
    ended = live(needs_polling=True)
    assert reported_ended([ended, live("other")]) == (ended,)
    assert not due_in_sweep([ended], None, NOON)


def test_a_list_answers_for_those_that_are_asked_about_for_the_first_time() -> None:
    crowd = [live(f"job-{number}") for number in range(3)]
    assert for_list_polling(crowd, NOON + MINUTE) == tuple(crowd)
    assert for_list_polling(crowd, NOON + POLL_INTERVAL) == ()


def test_a_list_is_not_asked_in_place_of_one_or_two_looks() -> None:
    assert for_list_polling([live("a"), live("b")], NOON + MINUTE) == ()


def test_a_list_does_not_answer_for_those_of_which_no_event_told() -> None:
    crowd = [live(f"job-{number}", observation=a_sighting()) for number in range(3)]
    assert for_list_polling(crowd, NOON + MINUTE) == ()


def test_a_list_does_not_answer_for_spot_jobs_whose_interruptions_it_does_not_count() -> None:
    crowd = [live(f"job-{number}") for number in range(3)]
    on_spot = [evolve(one, job=evolve(one.job, spot=True)) for one in crowd]
    assert for_list_polling([*crowd, *on_spot], NOON + MINUTE) == tuple(crowd)
    settled = [evolve(one, job=evolve(one.job, on_demand=True)) for one in on_spot]
    assert for_list_polling(settled, NOON + MINUTE) == tuple(settled)
