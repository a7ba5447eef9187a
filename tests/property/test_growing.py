"""Properties of growing: elastic jobs get more instances only if no waiting job can use them, and only for a gain."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, total
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.plan_effects import grown
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import a_job, changed_job
from support.builders.random_snapshots import NOW, TYPES, queued_jobs, snapshots_with_elastic_jobs
from support.protection import has_ended_protection

LATER = NOW + timedelta(minutes=3)
_NEVER = 7 * 86_400  # a restart that costs so much that no job grows

_policies = st.builds(
    Policy,
    patience=st.just(0),
    protected_run_time=st.sampled_from([0, 900]),
    preemptions_per_job=st.integers(1, 2),
    restart_time=st.sampled_from([0, 300, 7200]),
)
_intervals = st.sampled_from([None, 600, 1800])


@st.composite
def snapshots_with_room(draw: st.DrawFn, *, most_waiting: int = 2) -> Snapshot:
    """Draws running jobs, some of them elastic, a budget with a few free instances, and perhaps waiting jobs."""
    snapshot = draw(snapshots_with_elastic_jobs())
    room = snapshot.held[TYPES[0]] + draw(st.integers(1, 4))
    live = tuple(
        replace(live, job=changed_job(live.job, checkpoint_interval=draw(_intervals))) for live in snapshot.live
    )
    queued = tuple(draw(queued_jobs(f"job{n}")) for n in range(draw(st.integers(0, most_waiting))))
    limit = {TYPES[0]: room, TYPES[1]: 1}
    return replace(snapshot, budget=Budget.of(limit), live=live, queued=queued, policy=draw(_policies))


@given(snapshots_with_room())
def test_no_waiting_job_can_use_the_instances(snapshot: Snapshot) -> None:
    decided = plan(snapshot, NOW)
    for entry in decided.growths:
        assert not any(wait.job.spec.demand.shares_a_type_with(entry.wider.spec.demand) for wait in decided.waits)


@given(snapshots_with_room())
def test_growths_change_no_other_decision(snapshot: Snapshot) -> None:
    policy = replace(snapshot.policy, protected_run_time=0)  # otherwise, restart_time also decides on protection
    snapshot = replace(snapshot, policy=policy)
    without = plan(replace(snapshot, policy=replace(policy, restart_time=_NEVER)), NOW)
    assert not without.growths
    decided = plan(snapshot, NOW)
    assert [*decided.waits] == [*without.waits]
    assert replace(decided, growths=(), waits=without.waits) == without


@given(snapshots_with_room())
def test_only_jobs_that_may_be_preempted_and_can_resume_grow(snapshot: Snapshot) -> None:
    policy = snapshot.policy
    for entry in plan(snapshot, NOW).growths:
        job = entry.live.job
        assert job.status.state is JobState.RUNNING
        assert job.spec.checkpoint_uri
        assert not job.options.never_preempt
        assert job.status.preemptions < policy.preemptions_per_job
        assert has_ended_protection(entry.live, policy, NOW)


@given(snapshots_with_room(most_waiting=0))
def test_the_gain_exceeds_the_cost(snapshot: Snapshot) -> None:
    for entry in plan(snapshot, NOW).growths:
        job, before, after = entry.live.job, entry.live.attempt.demand[TYPES[0]], entry.wider.spec.demand[TYPES[0]]
        trained = (NOW - entry.live.started_at).total_seconds()
        rest = job.spec.max_runtime - trained
        repeated = min(trained, job.options.checkpoint_interval or trained)
        assert rest > rest * before / after + repeated + snapshot.policy.restart_time


@given(snapshots_with_room(most_waiting=0))
def test_a_job_grows_to_a_larger_number_of_its_range(snapshot: Snapshot) -> None:
    for entry in plan(snapshot, NOW).growths:
        allowed = entry.live.job.options.instances
        assert allowed is not None
        assert entry.live.attempt.demand[TYPES[0]] < entry.wider.spec.demand[TYPES[0]] <= allowed.max
        assert entry.wider == entry.live.job.as_choice(entry.wider.spec.choice)
        assert entry.reason.code is ReasonCode.GROWING


@given(snapshots_with_room())
def test_all_growths_fit_the_budget_together(snapshot: Snapshot) -> None:
    decided = plan(snapshot, NOW)
    more = total(entry.wider.spec.demand - entry.live.attempt.demand for entry in decided.growths)
    started = total(entry.job.spec.demand for entry in decided.launches)
    assert not decided.growths or total([snapshot.held, more, started]).fits(snapshot.budget.limit)


@given(snapshots_with_room())
def test_while_it_stops_no_other_job_grows(snapshot: Snapshot) -> None:
    decided = plan(snapshot, NOW)
    if decided.growths:
        again = plan(_carried_out(replace(snapshot, queued=()), decided), NOW)
        assert not again.growths


@given(snapshots_with_room(most_waiting=0), st.integers(-2, 3))
def test_while_it_stops_a_new_job_starts_on_the_free_instances(snapshot: Snapshot, priority: int) -> None:
    free = snapshot.budget.limit - snapshot.held
    newcomer = a_job("newcomer", demand=free, priority=priority, submitted_at=NOW)
    stopping = _carried_out(snapshot, plan(snapshot, NOW))
    assert [entry.job for entry in plan(replace(stopping, queued=(newcomer,)), NOW).launches] == [newcomer]


@given(snapshots_with_room(most_waiting=0))
def test_it_continues_on_at_least_as_many_instances_whoever_else_of_its_rank_waits(snapshot: Snapshot) -> None:
    decided = plan(snapshot, NOW)
    stopping = _carried_out(snapshot, decided)
    for entry in decided.growths:
        # A rival of another growing job can have a higher rank, and then starts first.
        ended = _all_ended(stopping, [_rival(entry.live.job, snapshot)])
        launches = {launched.job.name: launched.job for launched in plan(ended, LATER).launches}
        continued = launches.get(entry.live.job.name)
        assert continued is not None
        assert entry.live.attempt.demand.fits(continued.spec.demand)


def _rival(job: Job, snapshot: Snapshot) -> Job:
    """Returns a job of the same priority for all instances that has waited longer."""
    demand = Demand.of({TYPES[0]: snapshot.budget.limit[TYPES[0]]})
    priority, submitted_at = job.options.priority, NOW - timedelta(days=1)
    return a_job(f"rival-of-{job.name}", demand=demand, priority=priority, submitted_at=submitted_at)


def _carried_out(snapshot: Snapshot, decided: Plan) -> Snapshot:
    stopped = {entry.live.job.name: grown(entry, NOW) for entry in decided.growths}
    return replace(snapshot, live=tuple(stopped.get(live.job.name, live) for live in snapshot.live))


def _all_ended(snapshot: Snapshot, rivals: list[Job]) -> Snapshot:
    ended = Observation("Stopped", "Stopped", LATER, ended_at=LATER)
    stopping = [live for live in snapshot.live if live.job.status.stop]
    back = [transitions.end_attempt(live.job, live.attempt, ended, LATER) for live in stopping]
    live = tuple(live for live in snapshot.live if not live.job.status.stop)
    return replace(snapshot, live=live, queued=(*rivals, *back))
