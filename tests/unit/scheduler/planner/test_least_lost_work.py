"""Among running jobs of equal rank, those are preempted whose stop loses least."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.stop_notice import Save
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from support.builders.jobs import NOON
from support.builders.snapshots import a_snapshot, running, waiting

HOUR = timedelta(hours=1)
NOW = NOON + 2 * HOUR
START = Save(None, NOON)


def saving(name: str, saved: Save | None, priority: int = 0, interval: int | None = None) -> LiveJob:
    live = running(name, priority, checkpoint_uri=f"s3://bucket/{name}", checkpoint_interval=interval)
    return replace(live, attempt=replace(live.attempt, takes_notice=True, saved=saved))


def saved(minutes_ago: int) -> Save:
    return Save(1200, NOW - timedelta(minutes=minutes_ago))


def victims(*live: LiveJob, grace: int = 86_400, now: datetime = NOW) -> list[str]:
    policy = Policy(patience=0, protected_run_time=0, unsaved_grace=grace)
    snapshot = replace(a_snapshot(len(live), *live, waiting("urgent", 3)), policy=policy)
    return [entry.victim.job.name for entry in plan(snapshot, now).preemptions]


def test_the_job_that_has_just_saved_is_stopped() -> None:
    assert victims(saving("a", saved(20)), saving("b", saved(4)), saving("c", saved(9))) == ["b"]


def test_a_reported_save_counts_more_than_a_stated_interval() -> None:
    stated = saving("stated", saved(50), interval=7200)  # as stated, it saves at this moment
    assert victims(stated, saving("saver", saved(10))) == ["saver"]


def test_a_job_without_the_package_is_believed_as_before() -> None:
    assert victims(saving("reports", saved(10)), saving("silent", None, interval=7200)) == ["silent"]
    assert victims(saving("reports", saved(10)), saving("silent", None)) == ["reports"]


def test_strict_priority_stays() -> None:
    assert victims(saving("low", saved(100), priority=0), saving("high", saved(1), priority=1)) == ["low"]


@pytest.mark.parametrize("unsaved", [saving("unsaved", START), running("unsaved")])
def test_jobs_without_a_save_come_last_for_the_grace_only(unsaved: LiveJob) -> None:
    jobs = (unsaved, saving("saver", saved(110)))
    assert victims(*jobs, grace=7200) == ["saver"]
    assert victims(*jobs, grace=7199) == ["unsaved"]


def test_one_early_save_is_no_protection_beyond_the_grace() -> None:
    assert victims(saving("once", saved(110)), saving("saver", saved(10)), grace=6000) == ["once"]
