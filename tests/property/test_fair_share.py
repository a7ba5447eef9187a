"""Quotas of teams and the starvation share, over time."""

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.team import Team
from scheduler.core.planner.learned import Usage
from scheduler.core.planner.ordering.queue_order import order_queue
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import NOON, an_attempt, changed_job
from support.builders.snapshots import a_snapshot, gpus, running, waiting

NOW = NOON + timedelta(hours=1)
HOUR = timedelta(hours=1)
NAMES = ("red", "blue", "green")
LONGEST_HOURS = 4


def at_once(*teams: Team) -> Policy:
    return Policy(patience=0, protected_run_time=0, teams=teams)


@st.composite
def shared_queues(draw: st.DrawFn) -> Snapshot:
    """Teams with quotas, jobs of theirs that run, and jobs of theirs that wait."""
    budget = draw(st.integers(2, 8))
    red = draw(st.integers(0, budget - 1))
    blue = draw(st.integers(1, budget - red))
    teams = (Team("red", ("red",), quota=gpus(red)), Team("blue", ("blue",), quota=gpus(blue)))
    owners, priorities = st.sampled_from(NAMES), st.integers(0, 3)
    # Jobs of one instance, so that a quota can be filled to the last one.
    held = draw(st.integers(0, budget))
    live = [running(f"live{n}", draw(priorities), owner=draw(owners)) for n in range(held)]
    queued = [waiting(f"job{n}", draw(priorities), owner=draw(owners)) for n in range(draw(st.integers(0, 6)))]
    return replace(a_snapshot(budget, *live, *queued), policy=at_once(*teams))


def after_one_wave(snapshot: Snapshot, decided: Plan) -> Snapshot:
    """The plan carried out, and all that it stopped is gone."""
    started = [launch.job for launch in decided.launches]
    starting = [started_at(NOW, job) for job in started]
    kept = [live for live in snapshot.live if live.job.name not in decided.victim_names]
    still = [job for job in snapshot.queued if job not in started]
    gone = [preempted(entry.victim, entry.beneficiary.name) for entry in decided.preemptions]
    return replace(snapshot, live=(*kept, *starting), queued=(*still, *gone))


def preempted(live: LiveJob, beneficiary: str) -> Job:
    attempt = live.attempt
    past = EndedAttempt(attempt.name, 1, Outcome.PREEMPTED, attempt.reserved_at, NOW, beneficiary=beneficiary)
    return changed_job(live.job, state=JobState.PREEMPTED, preemptions=1, history=(past,))


@given(shared_queues())
def test_a_victim_ranks_strictly_lower_and_without_teams_by_priority_alone(snapshot: Snapshot) -> None:
    ranks = order_queue(snapshot, NOW).ranks
    for entry in plan(snapshot, NOW).preemptions:
        below_quota = ranks.below_quota
        victim, beneficiary = entry.victim.job, entry.beneficiary
        borrows = victim.name not in below_quota and beneficiary.name in below_quota
        assert borrows or victim.options.priority < beneficiary.options.priority
        assert not (victim.name in below_quota and beneficiary.name not in below_quota)
    for entry in plan(replace(snapshot, policy=at_once()), NOW).preemptions:
        assert entry.victim.job.options.priority < entry.beneficiary.options.priority


@given(shared_queues())
def test_a_quota_is_honoured_within_one_preemption_wave(snapshot: Snapshot) -> None:
    later = after_one_wave(snapshot, plan(snapshot, NOW))
    later = after_one_wave(later, plan(later, NOW + HOUR))
    for team in snapshot.policy.teams:
        wanted = sum(job.owner == team.name for job in snapshot.queued)
        had = held_by(team.name, snapshot)
        assert held_by(team.name, later) >= min(had + wanted, team.quota["ml.g5.xlarge"])


def held_by(team: str, snapshot: Snapshot) -> int:
    return sum(live.attempt.demand["ml.g5.xlarge"] for live in snapshot.live if live.job.owner == team)


@settings(max_examples=25)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=3), st.integers(1, 4))
def test_instance_hours_converge_to_the_weights(weights: list[int], budget: int) -> None:
    teams = [Team(name, (name,), weight=float(weight)) for name, weight in zip(NAMES, weights, strict=False)]
    jobs = [waiting(f"{team.name}{n}", owner=team.name, max_runtime=3600) for team in teams for n in range(budget)]
    policy = replace(at_once(*teams), starvation_share=0.0)  # of one instance, the share would be all
    used: dict[str, Usage] = {}
    hours: Counter[str] = Counter()
    for hour in range(240):
        now = NOON + hour * HOUR
        snapshot = replace(a_snapshot(budget, *jobs), policy=policy, usage=used)
        for entry in plan(snapshot, now).launches:
            hours[entry.job.owner] += 1
            used[entry.job.owner] = used.get(entry.job.owner, Usage(0.0, now)).plus(3600, now, half_life=7 * 86_400)
    for team in teams:
        assert abs(hours[team.name] / hours.total() - team.weight / sum(weights)) < 0.05


@settings(max_examples=50)
@given(st.data(), st.integers(2, 6))
def test_the_oldest_job_starts_within_a_run_time_after_it_may_use_the_share(data: st.DataObject, budget: int) -> None:
    """However many urgent jobs come, and however long they wait themselves."""
    limits = st.integers(1, LONGEST_HOURS)
    policy = Policy(patience=0, protected_run_time=0, starvation_after=2 * 3600, starvation_share=0.5)
    old = waiting("old", needs=data.draw(st.integers(1, budget)), max_runtime=3600)
    queue, live = [old], [running(f"first{n}", 5, max_runtime=3600 * data.draw(limits)) for n in range(budget)]
    for hour in range(2 + LONGEST_HOURS + 1):
        now = NOON + hour * HOUR
        queue += [
            waiting(f"urgent{hour}-{n}", 5, after=60 * hour + 1, max_runtime=3600 * data.draw(limits)) for n in range(3)
        ]
        live = [one for one in live if one.ends_by > now.timestamp()]
        snapshot = replace(a_snapshot(budget, *live, *queue), policy=policy)
        started = [entry.job for entry in plan(snapshot, now + timedelta(minutes=1)).launches]
        if old in started:
            return
        live += [started_at(now, job) for job in started]
        queue = [job for job in queue if job not in started]
    raise AssertionError("it still waits")


def started_at(now: datetime, job: Job) -> LiveJob:
    attempt = an_attempt(job, created=True, reserved_at=now)
    return LiveJob(changed_job(job, state=JobState.RUNNING, attempts=1), attempt)
