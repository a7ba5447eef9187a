"""A running attempt is protected from preemption until that loses little, and at most for its protected run time."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.stop_notice import Save
from scheduler.core.jobs.team import Team, TeamSettings
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from support.builders.jobs import NOON
from support.builders.snapshots import a_snapshot, running, training, waiting

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
POLICY = Policy(patience=0, protected_run_time=7200, restart_time=300)


def attempt(*, saved: datetime | None = None, interval: int | None = None) -> LiveJob:
    """Returns an attempt since noon, with the time of its last reported save and the stated seconds between saves."""
    live = training(running("low", checkpoint_uri="s3://bucket/low", checkpoint_interval=interval))
    return replace(live, attempt=replace(live.attempt, saved=Save(1200, saved) if saved else None))


def is_preempted(live: LiveJob, now: datetime, policy: Policy = POLICY) -> bool:
    snapshot = replace(a_snapshot(1, live, waiting("urgent", 3)), policy=policy)
    return [entry.victim for entry in plan(snapshot, now).preemptions] == [live]


def test_unsaved_work_and_a_restart_of_a_tenth_of_the_attempt_protect_no_longer() -> None:
    live = attempt(saved=NOON + HOUR - MINUTE)
    assert is_preempted(live, NOON + HOUR)  # 60 s + 300 s of 3600 s
    assert not is_preempted(live, NOON + HOUR + timedelta(seconds=1))


def test_an_attempt_that_has_just_saved_is_protected_while_a_restart_is_more_than_a_tenth_of_it() -> None:
    just_saved = NOON + 49 * MINUTE
    assert not is_preempted(attempt(saved=just_saved), just_saved)
    assert is_preempted(attempt(saved=just_saved + MINUTE), just_saved + MINUTE)
    assert is_preempted(attempt(saved=just_saved), just_saved, replace(POLICY, restart_time=0))


def test_stated_saves_count_where_no_save_is_reported() -> None:
    live = attempt(interval=1800)
    states = [is_preempted(live, NOON + minutes * MINUTE) for minutes in (30, 59, 60, 61, 62, 89, 90, 94, 95)]
    assert states == [False, False, True, True, False, False, True, True, False]


def test_saves_count_from_the_start_of_the_script() -> None:
    live = training(attempt(interval=1800), script_at=NOON + 5 * MINUTE)
    assert not is_preempted(live, NOON + HOUR)
    assert is_preempted(live, NOON + HOUR + 5 * MINUTE)


@pytest.mark.parametrize("script_at", [NOON + 10 * MINUTE, NOON + 50 * MINUTE, NOON + HOUR])
def test_long_downloads_protect_an_attempt_because_a_restart_repeats_them(script_at: datetime) -> None:
    live = training(attempt(saved=script_at), script_at=script_at)
    assert not is_preempted(live, script_at)
    assert not is_preempted(live, script_at, replace(POLICY, restart_time=0))
    assert is_preempted(live, NOON + 2 * HOUR)


def test_a_resumed_spot_attempt_is_not_taken_for_one_with_long_downloads() -> None:
    resumed = NOON + HOUR
    live = training(attempt(saved=resumed), script_at=resumed, interruptions=1)
    assert is_preempted(live, resumed)


def test_an_attempt_that_does_not_train_yet_has_nothing_to_lose_but_a_restart() -> None:
    live = replace(attempt(), attempt=replace(attempt().attempt, observation=None))
    assert not is_preempted(live, NOON + 49 * MINUTE)
    assert is_preempted(live, NOON + 50 * MINUTE)


def test_a_job_that_listens_for_notices_is_not_believed_to_save_in_time() -> None:
    live = attempt(saved=NOON + 50 * MINUTE)
    live = replace(live, attempt=replace(live.attempt, takes_notice=True))
    assert not is_preempted(live, NOON + 70 * MINUTE)


@pytest.mark.parametrize("live", [attempt(), attempt(saved=NOON + MINUTE), training(running("low"))])
def test_an_attempt_that_saves_rarely_or_never_is_protected_for_its_protected_run_time(live: LiveJob) -> None:
    assert not is_preempted(live, NOON + timedelta(seconds=7199))
    assert is_preempted(live, NOON + timedelta(seconds=7200))


def test_a_team_may_protect_its_jobs_for_another_time() -> None:
    team = Team("vision", members=("*",), settings=TeamSettings(protected_run_time=600))
    assert is_preempted(attempt(), NOON + 10 * MINUTE, replace(POLICY, teams=(team,)))
