"""JobIndex: the jobs whose timers are due, and the place of jobs that wait for their time."""

from dataclasses import replace
from datetime import datetime, timedelta

from scheduler.core.calendar.times.timers import after_timer
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.start_conditions import JobTimes
from scheduler.core.planner.ordering.candidate_selection import MIN_PER_GROUP
from scheduler.core.reconciliation.lease import Lease
from support.builders.jobs import GPU, NOON, a_job, an_attempt, launching
from support.dynamodb.stores import Stores

SOON, LATER = NOON + timedelta(hours=1), NOON + timedelta(hours=2)
BUDGET = Budget.parse(f"{GPU}=2")


def submit(stores: Stores, name: str, times: JobTimes, **changes: object) -> Job:
    job = a_job(name, times=times, deferred=times.not_before is not None, **changes)
    stores.jobs.submit(job, {})
    return stores.jobs.get(name)


def due(stores: Stores, now: datetime, limit: int = 100) -> list[str]:
    return [job.name for job in stores.index.due(now, limit)]


def test_timers_are_due_from_their_time_on_the_earliest_first_then_by_priority(stores: Stores) -> None:
    submit(stores, "later", JobTimes(expires=LATER))
    submit(stores, "low", JobTimes(not_before=SOON))
    submit(stores, "high", JobTimes(deadline=SOON), priority=5)
    submit(stores, "parked", JobTimes(expires=SOON + timedelta(seconds=1)), state=JobState.PARKED)
    stores.jobs.submit(a_job("plain"), {})
    assert due(stores, SOON - timedelta(microseconds=1)) == []
    assert due(stores, SOON) == ["high", "low"]
    assert due(stores, LATER) == ["high", "low", "parked", "later"]
    assert due(stores, LATER, limit=1) == ["high"]


def test_a_deferred_job_is_listed_and_counted_but_is_no_candidate_until_its_time(stores: Stores) -> None:
    job = submit(stores, "resnet", JobTimes(not_before=SOON))
    assert stores.index.candidates(BUDGET) == ()
    assert stores.index.positions([job], within=10) == {}
    assert [waiting.state for waiting in stores.index.waiting()] == [JobState.PENDING]
    assert stores.index.page(JobFilter(), 10, None, NOON).jobs == (job,)
    eligible = stores.jobs.save(after_timer(job, SOON), by="schedule")
    assert stores.index.candidates(BUDGET) == (eligible,)
    assert stores.index.positions([eligible], within=10) == {"resnet": 1}
    assert due(stores, LATER) == []


def test_deferred_jobs_hide_no_job_of_their_kind(stores: Stores) -> None:
    for number in range(2 * MIN_PER_GROUP):
        submit(stores, f"deferred-{number}", JobTimes(not_before=SOON))
    stores.jobs.submit(a_job("ready", submitted_at=LATER), {})
    assert [job.name for job in stores.index.candidates(BUDGET)] == ["ready"]


def test_a_start_and_an_end_remove_the_timers(stores: Stores, lease: Lease) -> None:
    times = JobTimes(expires=SOON, deadline=LATER)
    started, ended = submit(stores, "started", times), submit(stores, "ended", times)
    live = stores.reservations.launch(launching(started), an_attempt(started), BUDGET, lease)
    stores.jobs.save(replace(ended, status=replace(ended.status, state=JobState.STOPPED)), by="api")
    assert due(stores, SOON) == []
    assert due(stores, LATER) == [live.name]


def test_times_survive_in_the_record(stores: Stores) -> None:
    job = submit(stores, "resnet", JobTimes(SOON, LATER + timedelta(hours=1), LATER))
    assert stores.jobs.get("resnet").options.times == job.options.times
