"""What holds for every plan, whatever the queue looks like."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from builders.jobs import NOON, a_job, an_attempt
from scheduler.domain.budget import Budget
from scheduler.domain.demand import Demand, total
from scheduler.domain.job import Job, JobState
from scheduler.domain.plan import Plan
from scheduler.domain.snapshot import LiveJob, Snapshot
from scheduler.policy.ordering import queue_order
from scheduler.policy.planning import plan

TYPES = ("ml.g5.xlarge", "ml.p5.48xlarge")

demands = st.dictionaries(st.sampled_from(TYPES), st.integers(1, 4), min_size=1).map(Demand.of)
minutes = st.integers(0, 30)
priorities = st.integers(-2, 3)


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    """A budget, live jobs that mostly fit into it (a budget may shrink), and a queue."""
    counts = draw(st.fixed_dictionaries({kind: st.integers(1, 8) for kind in TYPES}))
    live = tuple(draw(live_jobs(f"live{index}")) for index in range(draw(st.integers(0, 6))))
    queued = tuple(draw(queued_jobs(f"job{index}")) for index in range(draw(st.integers(0, 6))))
    return Snapshot(Budget(Demand.of(counts), TYPES), live, queued)


def queued_jobs(name: str) -> st.SearchStrategy[Job]:
    prefixes = st.sampled_from([None, "s3://b/one", "s3://b/one/two"])
    return st.builds(
        lambda demand, priority, minute, prefix: a_job(
            name,
            demand=demand,
            priority=priority,
            submitted_at=NOON.replace(minute=minute),
            checkpoint_uri=prefix,
        ),
        demands,
        priorities,
        minutes,
        prefixes,
    )


def live_jobs(name: str) -> st.SearchStrategy[LiveJob]:
    states = st.sampled_from([JobState.LAUNCHING, JobState.RUNNING, JobState.RUNNING, JobState.STOPPING])

    def build(demand: Demand, priority: int, minute: int, state: JobState) -> LiveJob:
        started = NOON.replace(minute=minute)
        job = a_job(name, demand=demand, priority=priority, state=state, attempts=1, submitted_at=started)
        return LiveJob(job, an_attempt(job, created=state is not JobState.LAUNCHING, reserved_at=started))

    return st.builds(build, demands, priorities, minutes, states)


def victims_of(decided: Plan, beneficiary: Job) -> list[LiveJob]:
    return [entry.victim for entry in decided.preemptions if entry.beneficiary.name == beneficiary.name]


def freed(victims: list[LiveJob]) -> Demand:
    return total(victim.attempt.demand for victim in victims)


def free_in(snapshot: Snapshot, decided: Plan, before: Job) -> Demand:
    """What `before` can count on: free and stopping instances and earlier victims, less all that stand ahead of it."""
    stopping = total(one.attempt.demand for one in snapshot.live if one.job.state is JobState.STOPPING)
    ahead = [job for job in snapshot.queued if queue_order(job) < queue_order(before)]
    names = {job.name for job in ahead}
    blocked = {entry.job.name for entry in decided.parks} | {
        entry.job.name for entry in decided.waits if entry.reason.code == "waits_for_checkpoint_prefix"
    }
    earlier = [entry.victim for entry in decided.preemptions if entry.beneficiary.name in names]
    claimed = total(job.demand for job in ahead if job.name not in blocked)
    return snapshot.budget.limit - snapshot.held + stopping + freed(earlier) - claimed


@given(snapshots())
def test_launches_stay_within_the_budget(snapshot: Snapshot) -> None:
    launched = total(entry.job.demand for entry in plan(snapshot).launches)
    for kind in launched:
        assert snapshot.held[kind] + launched[kind] <= snapshot.budget.limit[kind]


@given(snapshots())
def test_a_victim_has_strictly_lower_priority_and_is_taken_once(snapshot: Snapshot) -> None:
    decided = plan(snapshot)
    assert all(entry.victim.job.priority < entry.beneficiary.priority for entry in decided.preemptions)
    assert all(count == 1 for count in Counter(entry.victim.job.name for entry in decided.preemptions).values())
    assert all(entry.victim.job.state is JobState.RUNNING for entry in decided.preemptions)


@given(snapshots())
def test_a_preemption_is_needed_and_helps_and_no_victim_is_spare(snapshot: Snapshot) -> None:
    decided = plan(snapshot)
    for beneficiary in {entry.beneficiary.name: entry.beneficiary for entry in decided.preemptions}.values():
        victims = victims_of(decided, beneficiary)
        without = free_in(snapshot, decided, beneficiary)
        assert not beneficiary.demand.fits(without)
        assert beneficiary.demand.fits(without + freed(victims))
        for spared in victims:
            others = [victim for victim in victims if victim is not spared]
            assert not beneficiary.demand.fits(without + freed(others))


@given(snapshots(), st.randoms(use_true_random=False))
def test_the_plan_depends_on_nothing_but_the_snapshot(snapshot: Snapshot, random: Random) -> None:
    live, queued = list(snapshot.live), list(snapshot.queued)
    random.shuffle(live)
    random.shuffle(queued)
    assert plan(Snapshot(snapshot.budget, tuple(live), tuple(queued))) == plan(snapshot)


@given(snapshots())
def test_every_queued_job_leaves_the_plan_with_one_reason(snapshot: Snapshot) -> None:
    decided = plan(snapshot)
    launched, waiting = [entry.job.name for entry in decided.launches], [entry.job.name for entry in decided.waits]
    parked = [entry.job.name for entry in decided.parks]
    assert Counter(launched + waiting + parked) == Counter(job.name for job in snapshot.queued)


@given(snapshots())
def test_nobody_passes_a_job_that_waits_for_the_same_type(snapshot: Snapshot) -> None:
    """A launch behind a waiting job leaves all that this one could use: it would have fitted beside it."""
    decided = plan(snapshot)
    blocked = [entry.job for entry in decided.waits if entry.reason.code != "waits_for_checkpoint_prefix"]
    for entry in decided.launches:
        for waiting in (job for job in blocked if queue_order(job) < queue_order(entry.job)):
            free = free_in(snapshot, decided, waiting) - waiting.demand
            assert all(free[kind] >= entry.job.demand[kind] for kind in entry.job.demand if kind in set(waiting.demand))


@given(snapshots())
def test_no_two_live_jobs_write_to_one_checkpoint_prefix(snapshot: Snapshot) -> None:
    launched = [entry.job.checkpoint_uri for entry in plan(snapshot).launches if entry.job.checkpoint_uri]
    assert len(launched) <= 1  # all prefixes of the strategy contain one another
