"""Draws snapshots for property tests.

Strategies are built only once: building one takes longer than drawing from it, and a snapshot draws from dozens of
strategies.
"""

from dataclasses import replace
from datetime import timedelta
from functools import cache

from hypothesis import strategies as st

from scheduler.core.capacity.capacity_memory import CapacityMemory, Shortage
from scheduler.core.capacity.locations import Location
from scheduler.core.history.runtime_stats import RuntimeStats, SimilarRuns, similarity_keys
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, InstanceRange, total
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState, Stop, StopCause
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.start_conditions import JobTimes
from scheduler.core.jobs.stop_notice import Save
from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.warm_pools.warm_pool import WarmPool
from support.builders.jobs import NOON, Choice, a_job, an_attempt, changed_job
from support.builders.snapshots import training

TYPES = ("ml.g5.xlarge", "ml.p5.48xlarge")
_ROLE = "arn:aws:sts::123456789012:assumed-role/Vision"
NOW = NOON + timedelta(hours=1)

#: Mostly one type, so that jobs often compete.
demands = st.one_of(
    st.integers(1, 4).map(lambda count: Demand.of({TYPES[0]: count})),
    st.dictionaries(st.sampled_from(TYPES), st.integers(1, 4), min_size=1).map(Demand.of),
)
minutes_ago = st.integers(0, 60).map(lambda minutes: NOW - timedelta(minutes=minutes))
priorities = st.integers(-2, 3)
limits = st.sampled_from([600, 86_400])
prefixes = st.sampled_from([None, None, None, "s3://b/one", "s3://b/one/two", "s3://b/three"])
policies = st.builds(
    Policy,
    ordering=st.sampled_from(Ordering),
    patience=st.sampled_from([0, 600]),
    protected_run_time=st.sampled_from([0, 900]),
    preemptions_per_job=st.integers(1, 3),
    starvation_after=st.sampled_from([1200, 86_400]),
    starvation_share=st.sampled_from([0.0, 0.25, 0.5]),
    running_per_owner=st.sampled_from([0, 2]),
)
_mostly = st.sampled_from([True, True, True, False])
_alternatives = st.lists(st.builds(Choice, demands, limits, wait_for_better=st.sampled_from([0, 0, 1800])), max_size=2)


_times = st.builds(
    JobTimes,
    not_before=st.sampled_from([None, None, NOW, NOW + timedelta(minutes=1)]),
    expires=st.sampled_from([None, None, NOW, NOW + timedelta(minutes=2)]),
)


def snapshots() -> st.SearchStrategy[Snapshot]:
    return st.one_of(odd_snapshots(), contested_snapshots())


@st.composite
def contested_snapshots(draw: st.DrawFn) -> Snapshot:
    """Draws a budget of one instance type that preemptible jobs use completely, and jobs that wait for it."""
    widths = draw(st.lists(st.integers(1, 3), min_size=1, max_size=8))
    live = [_can_be_stopped(draw(queued_jobs(f"live{n}")), _of_one_type(width)) for n, width in enumerate(widths)]
    queued = [
        changed_job(draw(queued_jobs(f"job{n}")), demand=_of_one_type(draw(st.integers(1, 6))), checkpoint_uri=None)
        for n in range(draw(st.integers(1, 4)))
    ]
    budget = Budget(_of_one_type(max(sum(widths), *(job.spec.demand[TYPES[0]] for job in queued))), TYPES)
    return Snapshot(budget, tuple(live), tuple(queued), policy=draw(policies))


@st.composite
def snapshots_with_interactive_jobs(draw: st.DrawFn) -> Snapshot:
    """Draws a snapshot in which people work in the containers of most waiting jobs, up to a cap for each type."""
    snapshot = draw(snapshots())
    live = tuple(replace(one, job=changed_job(one.job, interactive=draw(st.booleans()))) for one in snapshot.live)
    queued = tuple(changed_job(job, interactive=draw(_mostly)) for job in snapshot.queued)
    held = total(one.attempt.demand for one in live if one.job.options.interactive)
    caps = {line: max(0, held[line] + draw(st.integers(-1, 3))) for line in TYPES}
    return replace(snapshot, live=live, queued=queued, policy=replace(snapshot.policy, interactive_at_most=caps))


@st.composite
def snapshots_of_equals(draw: st.DrawFn) -> Snapshot:
    """Draws contested instances for which only jobs of one priority wait: their reservations have equal rank."""
    snapshot, priority = draw(contested_snapshots()), draw(st.integers(0, 1))
    return replace(snapshot, queued=tuple(changed_job(job, priority=priority) for job in snapshot.queued))


@st.composite
def snapshots_with_an_elder(draw: st.DrawFn) -> Snapshot:
    """Draws an aged job that needs the whole budget, live jobs of equal priority that hold it, and urgent jobs."""
    count = draw(st.integers(2, 4))
    live = [
        _can_be_stopped(changed_job(draw(queued_jobs(f"live{n}")), priority=0), _of_one_type(1)) for n in range(count)
    ]
    elder = a_job("elder", demand=_of_one_type(count), submitted_at=NOW - timedelta(days=1), max_runtime=600)
    urgent = [
        changed_job(draw(queued_jobs(f"urgent{n}")), priority=1, demand=_of_one_type(1), checkpoint_uri=None)
        for n in range(draw(st.integers(1, 3)))
    ]
    policy = Policy(patience=0, protected_run_time=0, starvation_after=86_400, starvation_share=0.5)
    return Snapshot(Budget(_of_one_type(count), TYPES), tuple(live), (elder, *urgent), policy=policy)


@st.composite
def snapshots_with_saves(draw: st.DrawFn) -> Snapshot:
    """Draws live jobs that differ only in their programs' reports, and an urgent job that needs their instances."""
    reports = draw(st.lists(_reports, min_size=2, max_size=6))
    live = [_with_report(f"live{n}", reported) for n, reported in enumerate(reports)]
    needed = draw(st.integers(1, len(live) - 1))
    urgent = a_job("urgent", priority=1, demand=_of_one_type(needed), submitted_at=NOW - timedelta(minutes=5))
    policy = Policy(patience=0, protected_run_time=0, unsaved_grace=draw(st.sampled_from([600, 1800, 86_400])))
    return Snapshot(Budget(_of_one_type(len(live)), TYPES), tuple(live), (urgent,), policy=policy)


@st.composite
def snapshots_of_young_attempts(draw: st.DrawFn) -> Snapshot:
    """Draws live jobs that began an hour ago and saved lately, and an urgent job that needs some of their instances."""
    snapshot = draw(snapshots_with_saves())
    live = [
        replace(one, attempt=replace(one.attempt, saved=Save(1200, NOW - timedelta(seconds=draw(st.integers(1, 400))))))
        for one in snapshot.live
    ]
    policy = replace(
        snapshot.policy,
        protected_run_time=draw(st.sampled_from([3600, 3601, 7200])),
        restart_time=draw(st.sampled_from([0, 120, 300])),
    )
    return replace(snapshot, live=tuple(live), policy=policy)


#: Starts and saves in the hour since the attempts began.
_reports = st.builds(
    Save, st.sampled_from([None, 1200]), st.integers(1, 60).map(lambda minutes: NOW - timedelta(minutes=minutes))
)


def _with_report(name: str, reported: Save) -> LiveJob:
    live = _can_be_stopped(a_job(name), _of_one_type(1))
    job = changed_job(live.job, checkpoint_uri=f"s3://b/{name}", checkpoint_interval=600)
    return training(LiveJob(job, replace(live.attempt, takes_notice=True, saved=reported)))


@st.composite
def snapshots_with_a_claim(draw: st.DrawFn) -> Snapshot:
    """Draws contested instances, some of them in pools, and a high-priority job that has just begun to wait."""
    snapshot, held = draw(contested_snapshots()), draw(st.lists(st.integers(1, 2), max_size=2))
    count = snapshot.budget.limit[TYPES[0]]
    head = a_job("head", demand=_of_one_type(draw(st.integers(1, count))), priority=3, submitted_at=NOW)
    pools = tuple(
        WarmPool.left_by(an_attempt(a_job(f"past{n}", demand=_of_one_type(width)))) for n, width in enumerate(held)
    )
    return replace(
        snapshot,
        budget=Budget(_of_one_type(count + sum(held)), TYPES),
        queued=(head, *snapshot.queued),
        pools=pools,
        policy=replace(snapshot.policy, patience=600, protected_run_time=0),
    )


@st.composite
def snapshots_with_elastic_jobs(draw: st.DrawFn) -> Snapshot:
    """Draws running jobs, some of them elastic, that hold the whole budget, and waiting jobs of higher priority."""
    live = [draw(_running_elastic_or_not(f"live{n}")) for n in range(draw(st.integers(1, 5)))]
    held = sum(one.attempt.demand[TYPES[0]] for one in live)
    budget = held + draw(st.integers(0, 2))
    urgent = [
        a_job(f"urgent{n}", demand=_of_one_type(count), priority=2, submitted_at=NOW - timedelta(minutes=20))
        for n, count in enumerate(draw(st.lists(st.integers(1, budget), min_size=1, max_size=2)))
    ]
    policy = Policy(patience=0, protected_run_time=draw(st.sampled_from([0, 900])))
    return Snapshot(Budget(_of_one_type(budget), TYPES), tuple(live), tuple(urgent), policy=policy)


@st.composite
def _running_elastic_or_not(draw: st.DrawFn, name: str) -> LiveJob:
    job = draw(queued_jobs(name))
    live = _can_be_stopped(changed_job(job, priority=draw(st.integers(0, 1))), _of_one_type(draw(st.integers(1, 4))))
    if draw(st.booleans()):
        return live
    running = elastic(changed_job(live.job, checkpoint_uri=f"s3://b/{name}"), draw(st.integers(2, 4)))
    running = running.as_choice(draw(st.integers(0, len(running.choices) - 1)))
    return LiveJob(running, replace(live.attempt, demand=running.spec.demand))


def elastic(job: Job, most: int) -> Job:
    """Returns the job as an elastic job that can run on any number of instances up to `most`."""
    choices = [Choice(_of_one_type(count), job.spec.max_runtime) for count in range(most, 0, -1)]
    return changed_job(job, choices=choices, instances=InstanceRange(1, most)).as_choice(0) if most > 1 else job


def _of_one_type(count: int) -> Demand:
    return Demand.of({TYPES[0]: count})


def _can_be_stopped(job: Job, demand: Demand) -> LiveJob:
    job = changed_job(job, state=JobState.RUNNING, demand=demand, attempts=1, checkpoint_uri=None)
    return LiveJob(job, an_attempt(job, created=True, reserved_at=job.submitted_at))


@st.composite
def odd_snapshots(draw: st.DrawFn) -> Snapshot:
    """Draws a budget, live jobs that usually fit into it (a budget may have shrunk), and a queue."""
    counts = draw(st.fixed_dictionaries({kind: st.integers(1, 8) for kind in TYPES}))
    live = tuple(draw(live_jobs(f"live{index}")) for index in range(draw(st.integers(0, 8))))
    queued = tuple(
        changed_job(_with_alternatives(draw(queued_jobs(f"job{index}")), draw(_alternatives)), times=draw(_times))
        for index in range(draw(st.integers(0, 8)))
    )
    return Snapshot(
        Budget(Demand.of(counts), TYPES),
        live,
        queued,
        policy=draw(policies),
        runtime_stats=draw(histories(queued)),
        pools=tuple(
            replace(WarmPool.left_by(live.attempt), name=f"pool{n}")
            for n, live in enumerate(draw(st.lists(live_jobs("past"), max_size=3)))
        ),
        held_by_unmanaged_jobs=draw(st.sampled_from([Demand(), Demand.of({TYPES[0]: 1})])),
        capacity=draw(shortages()),
    )


def _with_alternatives(job: Job, others: list[Choice]) -> Job:
    first = Choice(job.spec.demand, job.spec.max_runtime)
    ordered = sorted(others, key=lambda choice: choice.wait_for_better)
    return changed_job(job, choices=(first, *ordered) if ordered else ())


@cache
def shortages() -> st.SearchStrategy[CapacityMemory]:
    """Draws shortages of some instance types. Some of them are due for the next probe."""
    known = st.builds(
        Shortage,
        st.builds(Location, st.sampled_from(TYPES)),
        st.integers(1, 3),
        failed_at=st.just(NOW - timedelta(minutes=10)),
        until=st.sampled_from([NOW, NOW + timedelta(minutes=10)]),
    )
    drawn = st.lists(known, max_size=2, unique_by=lambda shortage: shortage.location)
    return drawn.map(lambda found: CapacityMemory(tuple(found)))


@cache
def queued_jobs(name: str) -> st.SearchStrategy[Job]:
    return st.builds(
        lambda demand, priority, submitted, limit, prefix, owner: a_job(
            name,
            demand=demand,
            priority=priority,
            submitted_at=submitted,
            max_runtime=limit,
            checkpoint_uri=prefix,
            owner=owner,
        ),
        demands,
        priorities,
        minutes_ago,
        limits,
        prefixes,
        st.sampled_from(["ada", f"{_ROLE}/one", f"{_ROLE}/two"]),
    )


@cache
def live_jobs(name: str) -> st.SearchStrategy[LiveJob]:
    states = st.sampled_from([JobState.LAUNCHING, JobState.RUNNING, JobState.RUNNING, JobState.STOPPING])

    def build(job: Job, state: JobState, preemptions: int, never: bool) -> LiveJob:
        stop = Stop(StopCause.PREEMPTION, NOW, "job0") if state is JobState.STOPPING else None
        job = a_job(
            name,
            demand=job.spec.demand,
            priority=job.options.priority,
            submitted_at=job.submitted_at,
            max_runtime=job.spec.max_runtime,
            owner=job.owner,
            state=state,
            stop=stop,
            attempts=1,
            preemptions=preemptions,
        )
        attempt = an_attempt(job, created=state is not JobState.LAUNCHING, reserved_at=job.submitted_at)
        return LiveJob(changed_job(job, never_preempt=never), attempt)

    return st.builds(build, queued_jobs(name), states, st.integers(0, 3), st.booleans())


@st.composite
def histories(draw: st.DrawFn, queued: tuple[Job, ...]) -> RuntimeStats:
    known = draw(st.lists(st.sampled_from(queued), max_size=3)) if queued else []
    return RuntimeStats({next(similarity_keys(job)): SimilarRuns(5, draw(st.floats(0.01, 1.0))) for job in known})
