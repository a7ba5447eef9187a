"""Properties of narrowing: elastic jobs give up instances before any job is stopped outright, and continue."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given

from property.test_plan import reserved_for
from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.demand import NOTHING, total
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.elastic.narrowing import narrower_widths
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.plan_effects import preempted
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import a_job
from support.builders.random_snapshots import NOW, snapshots_with_elastic_jobs

LATER = NOW + timedelta(minutes=3)


@given(snapshots_with_elastic_jobs())
def test_nobody_is_stopped_outright_while_elastic_jobs_can_give_enough(snapshot: Snapshot) -> None:
    snapshot = replace(snapshot, queued=snapshot.queued[:1])
    (urgent,) = snapshot.queued
    decided = plan(snapshot, NOW)
    if not any(entry.continues_on == NOTHING for entry in decided.preemptions):
        return
    protected_run_time = timedelta(seconds=snapshot.policy.protected_run_time)
    elastic = [
        live
        for live in snapshot.live
        if narrower_widths(live)
        and NOW - live.started_at >= protected_run_time
        and live.attempt.demand.shares_a_type_with(urgent.spec.demand)
    ]
    most = total(live.attempt.demand - narrower_widths(live)[-1] for live in elastic)
    assert not urgent.spec.demand.fits(snapshot.budget.limit - snapshot.held + most)


@given(snapshots_with_elastic_jobs())
def test_a_narrowed_job_gives_up_no_more_than_needed(snapshot: Snapshot) -> None:
    snapshot = replace(snapshot, queued=snapshot.queued[:1])
    decided = plan(snapshot, NOW)
    freed = total(entry.victim.attempt.demand - entry.continues_on for entry in decided.preemptions)
    free = snapshot.budget.limit - snapshot.held + freed
    for entry in decided.preemptions:
        assert entry.reason.code is (ReasonCode.NARROWED if entry.continues_on != NOTHING else ReasonCode.OUTRANKED)
        for wider in narrower_widths(entry.victim):
            if entry.continues_on != wider and entry.continues_on.fits(wider):
                assert not entry.beneficiary.spec.demand.fits(free - wider + entry.continues_on)


@given(snapshots_with_elastic_jobs())
def test_a_narrowed_job_continues_on_what_is_held_for_it_whoever_else_of_its_rank_waits(snapshot: Snapshot) -> None:
    snapshot = replace(snapshot, queued=snapshot.queued[:1])
    decided = plan(snapshot, NOW)
    rivals = tuple(_rival(entry.victim) for entry in decided.preemptions if entry.continues_on != NOTHING)
    stopping = replace(_carried_out(snapshot, decided), queued=(*snapshot.queued, *rivals))
    freed = total(entry.victim.attempt.demand - entry.continues_on for entry in decided.preemptions)
    assert reserved_for(plan(stopping, NOW)).fits(snapshot.budget.limit - snapshot.held + freed)
    launches = {entry.job.name: entry.job for entry in plan(_all_ended(stopping), LATER).launches}
    stopped = (entry.victim.job for entry in decided.preemptions if entry.continues_on == NOTHING)
    highest = max((job.options.priority for job in stopped), default=-1)  # such a job waits ahead of narrowed jobs
    for entry in decided.preemptions:
        assert entry.beneficiary.name in launches
        if entry.continues_on != NOTHING and entry.victim.job.options.priority >= highest:
            continued = launches.get(entry.victim.job.name)
            assert continued is not None
            assert continued.spec.demand == entry.continues_on


def _rival(victim: LiveJob) -> Job:
    """Returns a job of the lowest priority that has waited longer, for as many instances."""
    demand, submitted_at = victim.attempt.demand, NOW - timedelta(days=1)
    return a_job(f"rival-of-{victim.job.name}", demand=demand, priority=0, submitted_at=submitted_at)


def _carried_out(snapshot: Snapshot, decided: Plan) -> Snapshot:
    stopped = {entry.victim.job.name: preempted(entry, NOW) for entry in decided.preemptions}
    return replace(snapshot, live=tuple(stopped.get(live.job.name, live) for live in snapshot.live))


def _all_ended(snapshot: Snapshot) -> Snapshot:
    ended = Observation("Stopped", "Stopped", LATER, ended_at=LATER)
    stopping = [live for live in snapshot.live if live.job.status.stop]
    back = [transitions.end_attempt(live.job, live.attempt, ended, LATER) for live in stopping]
    live = tuple(live for live in snapshot.live if not live.job.status.stop)
    return replace(snapshot, live=live, queued=(*snapshot.queued, *back))
