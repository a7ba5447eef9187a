"""Owners that share a team fairly: turns by recent use, within a priority."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from property.test_fair_share import HOUR, at_once
from property.test_shares import NOW
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import OwnerOrder, Team
from scheduler.core.planner.learned import Learned, Usage, run_record_of
from scheduler.core.planner.ordering.fair_share import usage_by_key
from scheduler.core.planner.ordering.queue_order import order_queue
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import GPU, NOON, changed_job
from support.builders.random_snapshots import NOW as NOW_OF_RANDOM
from support.builders.random_snapshots import snapshots
from support.builders.snapshots import a_snapshot, running, waiting

PEOPLE = ("ada", "bob", "cyd")
SHARED = Team("all", ("*",), owners=OwnerOrder.FAIR)
people, limits = st.sampled_from(PEOPLE), st.sampled_from([900, 3600, 7200])
past_use = st.dictionaries(people, st.integers(0, 20_000))


@st.composite
def queued_jobs(draw: st.DrawFn) -> Job:
    return waiting(
        "any", draw(st.integers(0, 1)), needs=draw(st.integers(1, 3)), owner=draw(people), max_runtime=draw(limits)
    )


@given(st.lists(queued_jobs(), max_size=9), past_use)
def test_the_owner_with_the_least_use_comes_next(queued: list[Job], past: dict[str, int]) -> None:
    """Compared with a model: past use, plus what the jobs ahead are expected to use."""
    jobs = [replace(job, name=f"job{n}") for n, job in enumerate(queued)]
    usage = {f"all@{owner}": Usage(float(seconds), NOW) for owner, seconds in past.items()}
    order = order_queue(replace(a_snapshot(1, *jobs), policy=at_once(SHARED), usage=usage), NOW).jobs
    used, left = defaultdict[str, int](int, past), list(order)
    for job in order:
        waiting_owners = {other.owner for other in left if other.options.priority == job.options.priority}
        assert used[job.owner] == min(used[owner] for owner in waiting_owners)
        used[job.owner] += job.spec.demand[GPU] * job.spec.max_runtime
        left.remove(job)
    assert [job.options.priority for job in order] == sorted((job.options.priority for job in jobs), reverse=True)


@settings(max_examples=25)
@given(st.lists(st.integers(1, 4), min_size=2, max_size=3), st.integers(1, 4), st.sampled_from([1, 3]))
def test_owners_come_to_use_the_same_and_their_team_uses_its_part(
    backlogs: list[int], budget: int, weight: int
) -> None:
    """However many jobs each of them submits, and in which order."""
    red, blue = replace(SHARED, name="red", members=PEOPLE, weight=float(weight)), Team("blue", ("blue",))
    jobs = [
        waiting(f"{owner}{n}", owner=owner, max_runtime=3600, after=number)
        for number, (owner, times) in enumerate(zip((*PEOPLE[: len(backlogs)], "blue"), (*backlogs, 1), strict=True))
        for n in range(budget * times)
    ]
    policy = replace(at_once(red, blue), starvation_share=0.0)  # of one instance, the share would be all
    hours = hours_by_owner(jobs, budget, policy)
    of_red = [hours[owner] for owner in PEOPLE[: len(backlogs)]]
    assert abs(sum(of_red) / hours.total() - weight / (weight + 1)) < 0.05
    assert max(of_red) - min(of_red) < 0.05 * hours.total()


def hours_by_owner(jobs: Iterable[Job], budget: int, policy: Policy) -> Counter[str]:
    """Starts jobs of one hour each hour, records their ends, and returns the hours of each owner."""
    past, used = Learned(), Counter[str]()
    for hour in range(240):
        now = NOON + hour * HOUR
        snapshot = replace(a_snapshot(budget, *jobs), policy=policy, usage=past.usage_in(policy.teams))
        for entry in plan(snapshot, now).launches:
            used[entry.job.owner] += 1
            ended = EndedAttempt("one", 1, Outcome.FAILED, now, now + HOUR)
            record = run_record_of(changed_job(entry.job, history=(ended,)), "one", policy)
            assert record
            past = record.add_to(past, policy)
    return used


@given(st.lists(queued_jobs(), max_size=8))
def test_the_use_of_a_team_is_that_of_its_owners(queued: list[Job]) -> None:
    """While jobs run, and after their ends."""
    policy, learned = at_once(SHARED), Learned()
    live = [
        running(f"live{n}", holds=job.spec.demand[GPU], owner=job.owner, max_runtime=60) for n, job in enumerate(queued)
    ]
    used = usage_by_key(replace(a_snapshot(1, *live), policy=policy), NOW)
    for one in live:
        ended = EndedAttempt(one.attempt.name, 1, Outcome.COMPLETED, one.attempt.reserved_at, NOW)
        record = run_record_of(changed_job(one.job, history=(ended,)), ended.name, policy)
        assert record
        learned = record.add_to(learned, policy)
    ended_use = {key: usage.weighted_seconds for key, usage in learned.usage.items()}
    for known in (used, ended_use):
        of_owners = [seconds for key, seconds in known.items() if key != "all"]
        assert sum(of_owners) == pytest.approx(known.get("all", 0.0))
        assert len(of_owners) == len({job.owner for job in queued})


@given(snapshots())
def test_fair_owners_change_nothing_for_one_owner(snapshot: Snapshot) -> None:
    alone = replace(
        snapshot,
        live=tuple(replace(live, job=replace(live.job, owner="ada")) for live in snapshot.live),
        queued=tuple(replace(job, owner="ada") for job in snapshot.queued),
    )
    plans = [
        plan(replace(alone, policy=replace(snapshot.policy, teams=(replace(SHARED, owners=each),))), NOW_OF_RANDOM)
        for each in OwnerOrder
    ]
    assert plans[0] == plans[1]
