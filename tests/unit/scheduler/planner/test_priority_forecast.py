"""The effects of other priorities, case by case."""

from dataclasses import replace
from datetime import timedelta

from scheduler.core.jobs.job import Job
from scheduler.core.planner.priority_forecast import forecast_priorities
from support.builders.jobs import NOON
from support.builders.snapshots import a_snapshot, running, waiting

NOW = NOON + timedelta(hours=1)


def with_priority(job: Job, priority: int) -> Job:
    return replace(job, options=replace(job.options, priority=priority))


def test_higher_priorities_name_the_jobs_that_they_would_stop_and_change_nothing() -> None:
    low, lower, waits = running("low", 1), running("lower", 0), [waiting("a", 0), waiting("b", 0, after=1)]
    snapshot = a_snapshot(2, low, lower, *waits)
    one = forecast_priorities(snapshot, [with_priority(waits[0], 3)], NOW)
    assert one.preempts == ("lower",)
    both = forecast_priorities(snapshot, [with_priority(job, 3) for job in waits], NOW)
    assert set(both.preempts) == {"low", "lower"}
    assert snapshot.queued == tuple(waits)


def test_a_running_job_of_a_lower_priority_would_be_stopped_for_the_job_that_waits() -> None:
    holder, other = running("holder", 5), waiting("other", 3)
    snapshot = a_snapshot(1, holder, other)
    assert forecast_priorities(snapshot, [with_priority(other, 4)], NOW).preempts == ()
    assert forecast_priorities(snapshot, [with_priority(holder.job, 1)], NOW).preempts == ("holder",)


def test_only_what_the_change_causes_is_named() -> None:
    snapshot = a_snapshot(2, running("low", 0), waiting("urgent", 9), waiting("starts", 1))
    told = forecast_priorities(snapshot, [with_priority(waiting("starts", 1), 2)], NOW)
    assert (told.preempts, told.starts_now) == ((), ())
    blocked = a_snapshot(2, running("holder", 9), waiting("large", 2, needs=2), waiting("small", 1, max_runtime=9**9))
    small = with_priority(waiting("small", 1, max_runtime=9**9), 3)
    assert forecast_priorities(blocked, [small], NOW).starts_now == ("small",)
