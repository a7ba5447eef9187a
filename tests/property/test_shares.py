"""Lending and borrowing: reserves, ceilings, never-preempt jobs on borrowed instances, and weighted use."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from property.test_fair_share import after_one_wave, at_once, held_by
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.team import Limits, PreemptWithin, Team
from scheduler.core.planner.learned import Learned, run_record_of
from scheduler.core.planner.ordering.fair_share import usage_by_key
from scheduler.core.planner.ordering.queue_order import order_queue
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.spending.prices.usage_weights import UsageWeights
from support.builders.jobs import GPU, NOON, changed_job
from support.builders.random_snapshots import NOW as NOW_OF_RANDOM
from support.builders.random_snapshots import TYPES, snapshots
from support.builders.snapshots import a_snapshot, gpus, running, waiting

NOW = NOON + timedelta(hours=1)
HOUR = timedelta(hours=1)
OWNERS = ("red", "blue", "green")  # green is in no team


weights = st.fixed_dictionaries({kind: st.sampled_from([0.1, 1.0, 8.0, 63.3]) for kind in TYPES}).map(UsageWeights)


@st.composite
def teams_of(draw: st.DrawFn, budget: int) -> tuple[Team, Team]:
    red = draw(st.integers(0, budget))
    blue = draw(st.integers(0, budget - red))
    return draw(shares("red", red)), draw(shares("blue", blue))


@st.composite
def shares(draw: st.DrawFn, name: str, quota: int) -> Team:
    lend = draw(st.one_of(st.just(()), counts(0, quota)))
    borrow = draw(st.one_of(st.just(()), counts(0, 2)))
    ceiling = draw(st.one_of(st.just(()), counts(quota, quota + 2)))
    return Team(name, (name,), 1.0, gpus(quota), lend, borrow, ceiling, draw(st.sampled_from(PreemptWithin)))


def counts(least: int, most: int) -> st.SearchStrategy[Limits]:
    return st.integers(least, most).map(lambda count: ((GPU, count),))


@st.composite
def waiting_jobs(draw: st.DrawFn, name: str) -> Job:
    job = waiting(name, draw(st.integers(0, 3)), needs=draw(st.integers(1, 3)), owner=draw(st.sampled_from(OWNERS)))
    return replace(job, options=replace(job.options, never_preempt=draw(st.booleans())))


@st.composite
def empty_stacks(draw: st.DrawFn) -> Snapshot:
    """Draws a queue of which nothing runs yet, so that every job that ever runs was started under these shares."""
    budget = draw(st.integers(2, 8))
    queued = [draw(waiting_jobs(f"job{n}")) for n in range(draw(st.integers(1, 7)))]
    return replace(a_snapshot(budget, *queued), policy=at_once(*draw(teams_of(budget))))


@st.composite
def busy_stacks(draw: st.DrawFn) -> Snapshot:
    """Draws a queue, and jobs that run: perhaps since before operators changed the shares."""
    snapshot = draw(empty_stacks())
    budget, live = snapshot.budget.limit[GPU], list[LiveJob]()
    while (left := budget - sum(one.attempt.demand[GPU] for one in live)) and draw(st.booleans()):
        holds, owner = draw(st.integers(1, left)), draw(st.sampled_from(OWNERS))
        live.append(running(f"live{len(live)}", draw(st.integers(0, 3)), holds=holds, owner=owner))
    return replace(snapshot, live=tuple(live))


preemptions, run_limits = st.integers(0, 3), st.sampled_from([900, 2400, 5700, 86_400])


def worn(live: LiveJob, preemptions: int) -> LiveJob:
    return replace(live, job=changed_job(live.job, preemptions=preemptions))


def changed_limit(live: LiveJob, max_runtime: int) -> LiveJob:
    return replace(live, job=changed_job(live.job, max_runtime=max_runtime))


@st.composite
def worn_stacks(draw: st.DrawFn) -> Snapshot:
    """Draws a queue, and jobs that run and may have been preempted as often as the policy allows."""
    snapshot = draw(busy_stacks())
    return replace(snapshot, live=tuple(worn(live, draw(preemptions)) for live in snapshot.live))


@given(busy_stacks())
def test_a_reserve_is_never_lent(snapshot: Snapshot) -> None:
    """A team that starts more than its own reserve leaves every other team's reserve free."""
    held, launched = held_after(snapshot)
    reserves = {team.name: team.reserve[GPU] for team in snapshot.policy.teams}
    if any(held[owner] > reserves.get(owner, 0) for owner in launched):
        unused = sum(max(0, reserve - held[name]) for name, reserve in reserves.items())
        assert held.total() + unused <= snapshot.budget.limit[GPU]


@given(empty_stacks())
def test_an_owner_starts_on_its_reserve_at_once(snapshot: Snapshot) -> None:
    later = after_one_wave(snapshot, plan(snapshot, NOW))
    for team in snapshot.policy.teams:
        if unused := team.reserve[GPU] - held_by(team.name, later):
            others = [job for job in later.queued if job.owner != team.name]
            mine = [waiting(f"mine{n}", owner=team.name) for n in range(unused)]
            started = plan(replace(later, queued=(*others, *mine)), NOW + HOUR).launches
            assert {job.name for job in mine} <= {entry.job.name for entry in started}


@given(busy_stacks())
def test_a_ceiling_is_never_passed(snapshot: Snapshot) -> None:
    held, launched = held_after(snapshot)
    for team in snapshot.policy.teams:
        if team.name in launched and GPU in team.most:
            assert held[team.name] <= team.most[GPU]


@given(worn_stacks())
def test_a_team_without_preemption_never_stops_its_own_jobs_for_each_other(snapshot: Snapshot) -> None:
    without = {team.name for team in snapshot.policy.teams if team.preempt_within is PreemptWithin.NEVER}
    for entry in plan(snapshot, NOW).preemptions:
        assert entry.victim.job.owner != entry.beneficiary.owner or entry.victim.job.owner not in without


@given(worn_stacks())
def test_within_a_team_jobs_are_stopped_only_for_a_higher_priority(snapshot: Snapshot) -> None:
    for entry in plan(snapshot, NOW).preemptions:
        victim, beneficiary = entry.victim.job, entry.beneficiary
        assert victim.owner != beneficiary.owner or victim.options.priority < beneficiary.options.priority


@given(empty_stacks())
def test_never_preempt_jobs_keep_no_owner_of_a_quota_waiting(snapshot: Snapshot) -> None:
    """Whatever started, each team gets its whole quota within one wave of preemption."""
    later = after_one_wave(snapshot, plan(snapshot, NOW))
    for team in snapshot.policy.teams:
        quota = team.quota[GPU]
        mine = [waiting(f"mine{n}", 9, owner=team.name) for n in range(quota - held_by(team.name, later))]
        asking = replace(later, queued=tuple(mine))
        given_back = after_one_wave(asking, plan(asking, NOW + HOUR))
        given_back = after_one_wave(given_back, plan(given_back, NOW + 2 * HOUR))
        assert held_by(team.name, given_back) >= quota


@given(worn_stacks())
def test_used_up_preemptions_protect_from_all_but_the_owners_of_quotas(snapshot: Snapshot) -> None:
    below_quota = order_queue(snapshot, NOW).ranks.below_quota
    for entry in plan(snapshot, NOW).preemptions:
        victim, beneficiary = entry.victim.job, entry.beneficiary
        if victim.status.preemptions >= snapshot.policy.preemptions_per_job:
            assert beneficiary.name in below_quota
            assert victim.name not in below_quota
            assert victim.owner != beneficiary.owner


@given(snapshots(), st.integers(0, 3), st.integers(0, 3))
def test_one_team_alone_sees_no_difference(snapshot: Snapshot, quota: int, lend: int) -> None:
    alone = Team("all", ("*",), 1.0, gpus(quota), ((GPU, min(quota, lend)),))
    policy = replace(snapshot.policy, teams=(alone,))
    assert plan(replace(snapshot, policy=policy), NOW_OF_RANDOM) == plan(snapshot, NOW_OF_RANDOM)


@given(snapshots())
def test_limits_that_no_team_reaches_change_nothing(snapshot: Snapshot) -> None:
    """Plans that count what each team holds decide like plans that do not."""
    unlimited = (Team("ada", ("ada",), 1.0, gpus(1)), Team("vision", ("*Vision*",), 2.0))
    far = tuple(replace(team, ceiling=tuple((kind, 1000) for kind in TYPES)) for team in unlimited)
    without, within = (replace(snapshot, policy=replace(snapshot.policy, teams=teams)) for teams in (unlimited, far))
    assert plan(within, NOW_OF_RANDOM) == plan(without, NOW_OF_RANDOM)


@given(st.lists(st.tuples(st.sampled_from(OWNERS), st.sampled_from(TYPES), st.integers(1, 3)), max_size=8), weights)
def test_weighted_use_is_conserved(held: list[tuple[str, str, int]], weights: UsageWeights) -> None:
    """Nothing is lost between the charge for running jobs and that for ended jobs, whatever team holds what."""
    policy = Policy(teams=(Team("red", ("red",)), Team("blue", ("blue",))), weights=weights)
    live = [
        running(f"live{n}", demand=Demand.of({kind: count}), owner=owner, max_runtime=60)
        for n, (owner, kind, count) in enumerate(held)
    ]
    whole = sum(count * weights.own[kind] for _, kind, count in held) * 3600
    running_use = usage_by_key(replace(a_snapshot(1, *live), policy=policy), NOW)
    assert sum(running_use.values()) == pytest.approx(whole)
    learned = Learned()
    for one in live:
        ended = EndedAttempt(one.attempt.name, 1, Outcome.COMPLETED, one.attempt.reserved_at, NOW)
        record = run_record_of(changed_job(one.job, history=(ended,)), ended.name, policy)
        assert record
        learned = record.add_to(learned, policy)
    assert {name: usage.weighted_seconds for name, usage in learned.usage.items()} == pytest.approx(running_use)


@given(snapshots(), weights, st.sampled_from([0.25, 2.0, 64.0]))
def test_only_the_ratios_of_weights_count(snapshot: Snapshot, weights: UsageWeights, factor: float) -> None:
    teams = (Team("ada", ("ada",)), Team("vision", ("*Vision*",), 2.0))
    scaled = UsageWeights({kind: weight * factor for kind, weight in weights.own.items()})
    plans = [
        plan(replace(snapshot, policy=replace(snapshot.policy, teams=teams, weights=chosen)), NOW_OF_RANDOM)
        for chosen in (weights, scaled)
    ]
    assert plans[0] == plans[1]


def held_after(snapshot: Snapshot) -> tuple[Counter[str], set[str]]:
    """Returns the instances held by owner after the plan's launches, and the owners of the launched jobs."""
    started = [entry.job for entry in plan(snapshot, NOW).launches]
    held = Counter({owner: held_by(owner, snapshot) for owner in OWNERS})
    for job in started:
        held[job.owner] += job.spec.demand[GPU]
    return held, {job.owner for job in started}
