"""The share of the budget for the jobs that have waited longest."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.start_conditions import ArrayPlace
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import GPU, NOON
from support.builders.snapshots import a_snapshot, running, waiting

POLICY = Policy(patience=0, protected_run_time=0, starvation_after=3600, starvation_share=0.5)
NOW = NOON + timedelta(hours=2)


def with_share(budget: int, *jobs: Job | LiveJob, share: float = 0.5) -> Snapshot:
    return replace(a_snapshot(budget, *jobs), policy=replace(POLICY, starvation_share=share))


def launched(snapshot: Snapshot) -> list[str]:
    return [entry.job.name for entry in plan(snapshot, NOW).launches]


def test_the_longest_waiting_job_takes_the_share_before_higher_priorities() -> None:
    jobs = [waiting("old", 0), waiting("urgent", 9, after=100, needs=4)]
    assert launched(with_share(4, *jobs)) == ["old"]
    assert launched(with_share(4, *jobs, share=0.0)) == ["urgent"]


def test_aged_jobs_use_no_more_than_the_share() -> None:
    old = [waiting(f"old{n}", 0, after=n) for n in range(4)]
    assert launched(with_share(4, *old, waiting("urgent", 9, after=100, needs=2))) == ["old0", "old1", "urgent"]


def test_the_share_of_a_small_budget_is_at_least_one_instance() -> None:
    jobs = [
        waiting("old", 0),
        waiting("longer", 0, after=1, max_runtime=90_000),
        waiting("urgent", 9, after=100, needs=4),
    ]
    assert launched(with_share(4, *jobs, share=0.1)) == ["old"]


def test_the_share_is_not_rounded_below_its_exact_count() -> None:
    """In floating-point numbers, 100 × 0.29 is a little less than 29."""
    old = [waiting(f"old{n:02}", 0, after=n, max_runtime=86_400 + n) for n in range(30)]
    assert len(launched(with_share(100, *old, waiting("urgent", 9, after=100, needs=100), share=0.29))) == 29


def test_jobs_that_run_on_the_share_count_against_it_and_are_not_preempted() -> None:
    holder = running("holder", 0, holds=2)
    holder = replace(holder, attempt=replace(holder.attempt, reserved_at=NOON + timedelta(hours=1)))
    snapshot = with_share(4, holder, waiting("old", 0), waiting("urgent", 9, after=100, needs=4))
    decided = plan(snapshot, NOW)
    assert decided.preemptions == ()
    assert decided.launches == ()


def test_a_job_wider_than_the_share_uses_it_alone() -> None:
    jobs = [waiting("wide", 0, needs=3), waiting("old", 0, after=1), waiting("urgent", 9, after=100, needs=2)]
    assert launched(with_share(4, *jobs)) == ["wide", "old"]


P5 = "ml.p5.48xlarge"


def of_two_types(*jobs: Job | LiveJob) -> Snapshot:
    return replace(with_share(0, *jobs), budget=Budget.of({GPU: 4, P5: 2}))


@pytest.mark.parametrize("needs", [1, 3])
def test_each_type_has_a_share_of_its_own(needs: int) -> None:
    old = [waiting(f"old{n}", after=n, demand=Demand.of({P5: 1}), max_runtime=80_000 + 9000 * n) for n in range(2)]
    on_gpu = waiting("on-gpu", needs=needs, after=3)  # ends after old0, so only the share lets it pass
    urgent = waiting("urgent", 9, after=100, demand=Demand.of({GPU: 4, P5: 2}))
    assert launched(of_two_types(*old, on_gpu, urgent)) == ["old0", "on-gpu"]


def test_no_younger_job_takes_the_share_that_is_too_small_for_an_older_job_now() -> None:
    old = [waiting("first", 0), waiting("wide", 0, needs=2, after=1), waiting("narrow", 0, after=2)]
    assert launched(with_share(4, *old, waiting("urgent", 9, after=100, needs=3))) == ["first", "urgent"]


def test_a_job_wider_than_the_share_of_its_type_is_not_preempted_beside_jobs_of_other_types() -> None:
    live = [running("on-p5", demand=Demand.of({P5: 1})), running("on-gpu", holds=3, after=1)]
    later = [replace(one, attempt=replace(one.attempt, reserved_at=NOON + timedelta(minutes=70))) for one in live]
    urgent = waiting("urgent", 9, after=100, needs=4)
    assert plan(of_two_types(*later, urgent), NOW).preemptions == ()


def test_a_job_that_the_whole_budget_is_too_small_for_does_not_block_the_share() -> None:
    jobs = [waiting("impossible", 0, needs=5), waiting("old", 0, after=1), waiting("urgent", 9, after=100, needs=4)]
    assert launched(with_share(4, *jobs)) == ["old"]


def test_the_reservation_of_an_aged_job_does_not_prevent_preemptions_of_higher_priority() -> None:
    live = [running("low", 0, after=90, holds=3)]
    snapshot = with_share(4, *live, waiting("old", 0, needs=4), waiting("urgent", 9, after=100, needs=1))
    assert [entry.beneficiary.name for entry in plan(snapshot, NOW).preemptions] == ["urgent"]


def test_equal_jobs_do_not_preempt_past_the_reservation_of_an_aged_job() -> None:
    live = [running("low", -1, after=90), running("equal", 0, after=90)]
    snapshot = with_share(4, *live, waiting("old", 0, needs=4), waiting("young", 0, after=100, max_runtime=86_400))
    assert (plan(snapshot, NOW).launches, plan(snapshot, NOW).preemptions) == ((), ())


def test_jobs_that_a_cap_holds_do_not_take_the_share() -> None:
    live = running("live", owner="ada", after=90)
    capped = [waiting(f"ada-{n}", owner="ada", after=n) for n in range(3)]
    held = [waiting(f"sweep-{n}", place=ArrayPlace("sweep", n, at_most=1), after=n) for n in range(3)]
    urgent = waiting("urgent", 9, after=100, needs=3)
    for jobs in (capped, held):
        snapshot = with_share(4, live, *jobs, waiting("old", owner="bob", after=30), urgent)
        snapshot = replace(snapshot, policy=replace(snapshot.policy, starvation_share=0.5, running_per_owner=1))
        assert "old" in launched(snapshot)
