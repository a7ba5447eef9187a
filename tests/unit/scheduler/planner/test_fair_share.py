"""Teams: weights over time, quotas, borrowing and reclaiming."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.team import Team
from scheduler.core.planner.learned import Usage
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import GPU, NOON, changed_job
from support.builders.snapshots import a_snapshot, gpus, running, waiting

HOUR = timedelta(hours=1)
NOW = NOON + HOUR
RED, BLUE = Team("red", ("red-*",)), Team("blue", ("blue-*",))


def shared(
    budget: int, *jobs: Job | LiveJob, teams: tuple[Team, ...] = (RED, BLUE), usage: dict[str, Usage] | None = None
) -> Snapshot:
    policy = Policy(patience=0, protected_run_time=0, teams=teams)
    return replace(a_snapshot(budget, *jobs), policy=policy, usage=usage or {})


def launched(decided: Plan) -> list[str]:
    return [entry.job.name for entry in decided.launches]


def test_the_team_that_used_less_comes_first_within_one_priority() -> None:
    jobs = [waiting("r", owner="red-1"), waiting("b", owner="blue-1", after=5), waiting("urgent", 1, owner="red-1")]
    used = {"red": Usage(3600.0, NOON)}
    assert launched(plan(shared(2, *jobs, usage=used), NOW)) == ["urgent", "b"]


def test_what_runs_now_is_charged_for_as_long_as_it_is_expected_to_run() -> None:
    busy, older = running("r1", owner="red-1", max_runtime=7200), waiting("r2", owner="red-1", after=1)
    jobs: list[Job | LiveJob] = [busy, older, waiting("b", owner="blue-1", after=2)]
    assert launched(plan(shared(2, *jobs), NOW)) == ["b"]
    a_little_used = {"blue": Usage(7000.0, NOW)}
    assert launched(plan(shared(2, *jobs, usage=a_little_used), NOW)) == ["b"]
    more_used = {"blue": Usage(7300.0, NOW)}
    assert launched(plan(shared(2, *jobs, usage=more_used), NOW)) == ["r2"]


def test_usage_fades_with_its_half_life() -> None:
    assert Usage(100.0, NOON).decayed_to(NOON + 2 * HOUR, half_life=3600) == pytest.approx(25.0)
    assert Usage(100.0, NOON).plus(10.0, NOON + HOUR, half_life=3600) == Usage(60.0, NOON + HOUR)


def test_one_team_alone_sees_no_difference() -> None:
    jobs = [waiting(f"job{n}", n % 3, owner="red-1", after=n, needs=1 + n % 2) for n in range(8)]
    alone = plan(shared(5, *jobs, usage={"red": Usage(1e6, NOON)}, teams=(RED,)), NOW)
    assert alone == plan(shared(5, *jobs, teams=()), NOW)


@pytest.mark.parametrize("weight", [1, 3])
def test_instance_hours_converge_to_the_weights(weight: int) -> None:
    teams = (replace(RED, weight=float(weight)), BLUE)
    used: dict[str, Usage] = {}
    hours: Counter[str] = Counter()
    for hour in range(400):
        now = NOON + hour * HOUR
        jobs = [
            waiting(f"{team.name}{n}", owner=f"{team.name}-1", max_runtime=3600) for team in teams for n in range(4)
        ]
        for entry in plan(shared(4, *jobs, teams=teams, usage=used), now).launches:
            team = entry.job.owner.removesuffix("-1")
            hours[team] += 1
            used[team] = used.get(team, Usage(0.0, now)).plus(3600, now, half_life=7 * 86_400)
    assert hours["red"] / hours["blue"] == pytest.approx(weight, rel=0.05)


def test_one_plan_shares_a_free_budget_by_weight() -> None:
    teams = (replace(RED, weight=3.0), BLUE)
    jobs = [waiting(f"{team.name}{n}", owner=f"{team.name}-1", after=n) for team in teams for n in range(8)]
    decided = plan(shared(8, *jobs, teams=teams), NOW)
    assert Counter(entry.job.owner for entry in decided.launches) == {"red-1": 6, "blue-1": 2}


def test_an_idle_guarantee_is_borrowed() -> None:
    teams = (RED, replace(BLUE, quota=gpus(2)))
    jobs = [waiting(f"r{n}", owner="red-1", after=n) for n in range(3)]
    assert launched(plan(shared(3, *jobs, teams=teams), NOW)) == ["r0", "r1", "r2"]


def test_a_quota_is_taken_back_in_one_wave_even_from_a_higher_priority() -> None:
    teams = (RED, replace(BLUE, quota=gpus(2)))
    live = [running(f"r{n}", 5, owner="red-1", after=n) for n in range(3)]
    jobs = [waiting(f"b{n}", 0, owner="blue-1", after=10 + n) for n in range(3)]
    decided = plan(shared(3, *live, *jobs, teams=teams), NOW)
    assert [entry.beneficiary.name for entry in decided.preemptions] == ["b0", "b1"]
    assert {entry.reason.code for entry in decided.preemptions} == {ReasonCode.RECLAIMED}


def test_within_a_quota_only_the_team_itself_preempts() -> None:
    teams = (RED, replace(BLUE, quota=gpus(1)))
    live = running("b", 0, owner="blue-1")
    assert plan(shared(1, live, waiting("r", 9, owner="red-1"), teams=teams), NOW).preemptions == ()
    decided = plan(shared(1, live, waiting("b2", 9, owner="blue-1"), teams=teams), NOW)
    assert [entry.beneficiary.name for entry in decided.preemptions] == ["b2"]


def test_a_job_whose_instances_sagemaker_selected_counts_against_the_quota_with_these_alone() -> None:
    teams = (RED, replace(BLUE, quota=gpus(2)))
    either = Demand.of({GPU: 2, "ml.p5.48xlarge": 1})
    selected = running("b", owner="blue-1", demand=either, has_preferences=True, selected=gpus(2))
    selected = replace(selected, attempt=replace(selected.attempt, demand=gpus(2)))
    assert plan(shared(2, selected, waiting("r", 9, owner="red-1"), teams=teams), NOW).preemptions == ()


def test_jobs_that_a_cap_holds_leave_their_teams_quota_to_others() -> None:
    live = [running("b0", owner="blue-1"), running("r", 9, owner="red-1", holds=4, after=30)]
    capped = [waiting(f"b{n}", 1, owner="blue-1", after=n) for n in range(1, 4)]
    snapshot = shared(5, *live, *capped, waiting("b4", owner="blue-2"), teams=(RED, replace(BLUE, quota=gpus(4))))
    decided = plan(replace(snapshot, policy=replace(snapshot.policy, running_per_owner=1)), NOW)
    assert [(entry.victim.job.name, entry.beneficiary.name) for entry in decided.preemptions] == [("r", "b4")]


def test_interactive_jobs_beyond_their_cap_leave_their_teams_quota_to_others() -> None:
    live, shells = running("r", 9, owner="red-1", holds=4), [waiting(f"b{n}", 1, owner="blue-1") for n in range(4)]
    shells = [changed_job(job, interactive=True) for job in shells]
    teams = (RED, replace(BLUE, quota=gpus(4)))
    snapshot = shared(4, live, *shells, waiting("other", owner="blue-2"), teams=teams)
    decided = plan(replace(snapshot, policy=replace(snapshot.policy, interactive_at_most={GPU: 0})), NOW)
    assert [(entry.victim.job.name, entry.beneficiary.name) for entry in decided.preemptions] == [("r", "other")]
