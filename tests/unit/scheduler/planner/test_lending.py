"""Reserves, ceilings and limits on borrowing: who starts, who waits, and why."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.team import PreemptWithin, Team
from scheduler.core.planner.explanation import explain, forecast_submission
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.warm_pools.pool_rules import PoolRule, PoolRules, PoolUse
from support.builders.jobs import GPU, NOON, Choice, changed_job
from support.builders.snapshots import a_snapshot, gpus, pool, running, stopping, waiting

NOW = NOON + timedelta(hours=1)
RED, BLUE = Team("red", ("red",)), Team("blue", ("blue",))
OTHER = "ml.p5.48xlarge"


def shared(budget: int, *jobs: Job | LiveJob, red: Team = RED, blue: Team = BLUE) -> Snapshot:
    policy = Policy(patience=0, protected_run_time=0, teams=(blue, red))
    return replace(a_snapshot(budget, *jobs), policy=policy)


def decide(budget: int, *jobs: Job | LiveJob, red: Team = RED, blue: Team = BLUE) -> Plan:
    return plan(shared(budget, *jobs, red=red, blue=blue), NOW)


def launched(decided: Plan) -> list[str]:
    return [entry.job.name for entry in decided.launches]


def codes(decided: Plan) -> dict[str, ReasonCode]:
    return {wait.job.name: wait.reason.code for wait in decided.waits}


RESERVING = replace(BLUE, quota=gpus(2), lend=((GPU, 0),))


def test_a_reserve_stays_idle_until_its_owner_comes() -> None:
    red = waiting("r", owner="red", needs=2)
    decided = decide(3, red, red=RED, blue=RESERVING)
    assert codes(decided) == {"r": ReasonCode.EXCEEDS_SHARE}
    assert launched(decide(4, red, red=RED, blue=RESERVING)) == ["r"]
    assert launched(decide(3, red, waiting("b", owner="blue", needs=2, after=1), blue=RESERVING)) == ["b"]


def test_a_part_of_a_quota_can_be_lent() -> None:
    blue = replace(RESERVING, lend=((GPU, 1),))
    jobs = [waiting(f"r{n}", owner="red", after=n) for n in range(4)]
    decided = decide(4, *jobs, blue=blue)
    assert launched(decided) == ["r0", "r1", "r2"]
    assert codes(decided) == {"r3": ReasonCode.RESERVED_FOR_TEAM}
    assert decided.waits.reasons[0].message == f"needs 1 × {GPU}, free: 1 × {GPU}, but other teams reserve them"


def test_a_reserve_that_is_in_use_keeps_nothing_else_idle() -> None:
    busy = running("b", holds=2, owner="blue")
    assert launched(decide(3, busy, waiting("r", owner="red"), blue=RESERVING)) == ["r"]


def test_a_job_that_waits_for_a_reserve_delays_nobody_on_it() -> None:
    red, ended = waiting("r", 9, needs=3, owner="red"), running("x", 9, owner="red")
    decided = decide(5, ended, red, waiting("b", owner="blue", needs=2, after=1), blue=RESERVING)
    assert launched(decided) == ["b"]
    assert codes(decided) == {"r": ReasonCode.WAITS_FOR_BUDGET}


def test_a_reserve_covers_warm_pools() -> None:
    """A pool counts against the budget, so a job that takes one over can leave the owner without its reserve."""
    left = replace(pool("old"), pool_key="alike")
    job = changed_job(waiting("r", owner="red"), pool_key="alike")
    rules = PoolRules({GPU: PoolRule(instance_type=GPU, use=PoolUse.HOLD)})
    for others, starts in (((pool("other"),), []), ((), ["r"])):
        snapshot = replace(shared(3, job, blue=RESERVING), pools=(left, *others), pool_rules=rules)
        assert launched(plan(snapshot, NOW)) == starts


LIMITED = replace(RED, ceiling=((GPU, 2),))


WITH_CEILING = replace(RED, ceiling=((GPU, 4),))
AT_CEILING = (running("r1", 1, owner="red", max_runtime=7200), running("r2", 1, owner="red", holds=2))
WAITS_FOR_CEILING = waiting("a", 1, owner="red", needs=2)  # once r1 has ended


def test_a_team_at_its_ceiling_waits_and_delays_nobody() -> None:
    live = [running(f"r{n}", owner="red") for n in range(2)]
    waits, other = waiting("r9", 9, owner="red"), waiting("b", owner="blue", needs=2, after=1)
    decided = decide(5, *live, waits, other, red=LIMITED)
    assert launched(decided) == ["b"]
    assert codes(decided)["r9"] is ReasonCode.WAITS_FOR_PREEMPTION  # a job of its own team has a lower priority
    calm = decide(4, *live, waiting("r0", owner="red"), other, red=LIMITED)
    assert codes(calm) == {"r0": ReasonCode.TEAM_CEILING}
    assert launched(calm) == ["b"]


def test_a_job_at_a_ceiling_preempts_only_its_own_team() -> None:
    live = [running("r", 1, holds=2, owner="red"), running("b", 0, owner="blue"), running("g", 0, owner="green")]
    decided = decide(4, *live, waiting("urgent", 2, owner="red"), red=LIMITED)
    assert [entry.victim.job.name for entry in decided.preemptions] == ["r"]


def test_a_job_that_waits_for_its_ceiling_does_not_keep_other_teams_from_preempting() -> None:
    live = [running("r", 5, holds=2, owner="red"), running("g", 0, holds=2, owner="green")]
    decided = decide(4, *live, waiting("r9", 5, owner="red"), waiting("b", 3, owner="blue", needs=2), red=LIMITED)
    assert [(entry.victim.job.name, entry.beneficiary.name) for entry in decided.preemptions] == [("g", "b")]
    assert codes(decided)["r9"] is ReasonCode.TEAM_CEILING


@pytest.mark.parametrize(("held", "needs"), [(0, 7), (6, 1)])
def test_a_job_that_waits_for_its_ceiling_keeps_no_free_instances_from_other_teams(held: int, needs: int) -> None:
    live = [*AT_CEILING, *([running("b0", owner="blue", holds=held)] if held else [])]
    decided = decide(10, *live, WAITS_FOR_CEILING, waiting("b", owner="blue", needs=needs), red=WITH_CEILING)
    assert (launched(decided), codes(decided)) == (["b"], {"a": ReasonCode.TEAM_CEILING})


def test_a_job_that_waits_for_its_ceiling_keeps_no_warm_pool_from_other_teams() -> None:
    left = replace(pool("old", holds=7), pool_key="alike")
    rules = PoolRules({GPU: PoolRule(instance_type=GPU, use=PoolUse.HOLD)})
    job = waiting("b", owner="blue", needs=7, pool_key="alike")
    snapshot = shared(10, *AT_CEILING, WAITS_FOR_CEILING, job, red=WITH_CEILING)
    decided = plan(replace(snapshot, pools=(left,), pool_rules=rules), NOW)
    assert [(entry.job.name, entry.pool) for entry in decided.launches] == [("b", left)]


def test_narrow_jobs_do_not_pass_a_wide_job_of_their_team_at_the_ceiling() -> None:
    live, wide = running("r", owner="red", max_runtime=7200), waiting("wide", needs=2, owner="red")
    narrow = waiting("long", owner="red", after=1, max_runtime=86_400)
    short = waiting("short", owner="red", after=2, max_runtime=1800)
    decided = decide(4, live, wide, narrow, short, red=LIMITED)
    assert launched(decided) == ["short"]
    assert codes(decided) == {"wide": ReasonCode.TEAM_CEILING, "long": ReasonCode.WAITS_BEHIND}


def test_stopping_jobs_count_against_the_ceiling_until_they_are_gone() -> None:
    ending = stopping("gone", holds=2)
    ending = LiveJob(changed_job(ending.job, owner="red"), ending.attempt)
    decided = decide(8, ending, waiting("r", owner="red"), red=LIMITED)
    assert codes(decided) == {"r": ReasonCode.WAITS_FOR_STOPPING}


@pytest.mark.parametrize(
    ("share", "most"),
    [
        (replace(RED, borrow_at_most=((GPU, 1),)), 1),
        (replace(RED, quota=gpus(1), borrow_at_most=((GPU, 2),)), 3),
        (replace(RED, quota=gpus(1), borrow_at_most=((GPU, 0),)), 1),
        (replace(RED, quota=gpus(1), borrow_at_most=((GPU, 3),), ceiling=((GPU, 2),)), 2),
        (replace(RED, ceiling=((OTHER, 0),)), 4),
    ],
)
def test_a_team_borrows_so_much_beyond_its_quota(share: Team, most: int) -> None:
    jobs = [waiting(f"r{n}", owner="red", after=n) for n in range(5)]
    assert len(launched(decide(4, *jobs, red=share))) == most


def test_a_job_beyond_its_share_waits_and_blocks_nobody() -> None:
    too_wide = waiting("wide", 9, needs=3, owner="red")
    decided = decide(4, too_wide, waiting("r", owner="red", needs=2), waiting("b", owner="blue"), red=LIMITED)
    assert (sorted(launched(decided)), codes(decided)) == (["b", "r"], {"wide": ReasonCode.EXCEEDS_SHARE})


def test_a_job_takes_the_choice_that_its_share_allows() -> None:
    first, other = Choice(gpus(3), 3600), Choice(gpus(2), 3600, wait_for_better=0)
    job = changed_job(waiting("r", owner="red", needs=3), choices=(first, other))
    (launch,) = decide(4, job, red=LIMITED).launches
    assert launch.job.spec.demand == gpus(2)


def test_a_team_at_its_ceiling_does_not_use_up_the_starvation_share() -> None:
    live = running("r", 9, holds=2, owner="red")
    old = [waiting("r-old", owner="red", needs=1), waiting("b-old", owner="blue", after=1)]
    urgent = waiting("urgent", 5, owner="blue", after=2)
    snapshot = shared(3, live, *old, urgent, red=LIMITED)
    policy = replace(snapshot.policy, starvation_after=600, starvation_share=0.4)
    assert launched(plan(replace(snapshot, policy=policy), NOW)) == ["b-old"]


def never(job: Job) -> Job:
    return changed_job(job, never_preempt=True)


def test_a_never_preempt_job_borrows_only_what_no_quota_needs() -> None:
    blue = replace(BLUE, quota=gpus(2))
    decided = decide(3, never(waiting("r", owner="red", needs=2)), blue=blue)
    assert codes(decided) == {"r": ReasonCode.MAY_NOT_BORROW}
    assert launched(decide(3, never(waiting("r", owner="red")), blue=blue)) == ["r"]
    assert launched(decide(3, never(waiting("b", owner="blue", needs=2)), blue=blue)) == ["b"]
    assert launched(decide(3, waiting("r", owner="red", needs=2), blue=blue)) == ["r"]


def test_a_never_preempt_job_wider_than_its_quota_leaves_none_of_it_to_other_jobs_of_its_team() -> None:
    red, blue = replace(RED, quota=gpus(1)), replace(BLUE, quota=gpus(6))
    held = [running("fixed", owner="red", holds=2, never_preempt=True), running("b", owner="blue", holds=5)]
    decided = decide(8, *held, running("r", owner="red"), waiting("asking", owner="blue", after=1), red=red, blue=blue)
    assert [entry.victim.job.name for entry in decided.preemptions] == ["r"]


def test_a_never_preempt_job_may_start_while_borrowers_can_be_preempted() -> None:
    borrowers = [running(f"r{n}", owner="red") for n in range(2)]
    blue = replace(BLUE, quota=gpus(2))
    assert launched(decide(4, *borrowers, never(waiting("r", owner="red", needs=2)), blue=blue)) == ["r"]


def test_why_says_when_the_first_job_of_the_team_should_end() -> None:
    live, other = running("r", holds=2, owner="red", max_runtime=7200), running("b", owner="blue", max_runtime=3700)
    snapshot = shared(8, live, other, waiting("waits", owner="red", max_runtime=3600), red=LIMITED)
    explanation = explain(snapshot, NOW)["waits"]
    message = f"needs 1 × {GPU}, free: 5 × {GPU}; with this job, its team would exceed its ceiling"
    assert (explanation.reason.code, explanation.reason.message) == (ReasonCode.TEAM_CEILING, message)
    assert explanation.starts.earliest == explanation.starts.latest == NOON + timedelta(hours=2)
    assert explanation.waits_for == ("r",)


def test_no_time_is_known_for_a_job_beyond_its_share() -> None:
    forecast = forecast_submission(shared(8, red=LIMITED), waiting("wide", needs=3, owner="red"), NOW)
    assert (forecast.reason.code, forecast.starts.earliest) == (ReasonCode.EXCEEDS_SHARE, None)


def test_a_reserve_is_what_a_team_does_not_lend() -> None:
    team = replace(RED, quota=Demand.of({GPU: 3, OTHER: 2}), lend=((GPU, 1),))
    assert team.reserve == Demand.of({GPU: 2})


BLUE_OWNS = replace(BLUE, quota=gpus(1))
WORN = running("worn", 0, owner="red", preemptions=2)


def test_a_team_can_forbid_preemption_among_its_own_jobs() -> None:
    live, urgent = [running("r", 0, owner="red"), running("b", 1, owner="blue")], waiting("urgent", 2, owner="red")
    for within, victim in ((PreemptWithin.LOWER_PRIORITY, "r"), (PreemptWithin.NEVER, "b")):
        decided = decide(2, *live, urgent, red=replace(RED, preempt_within=within))
        assert [entry.victim.job.name for entry in decided.preemptions] == [victim]


def test_a_team_takes_its_quota_back_only_from_other_teams() -> None:
    """Within the team, the small job preempts only a job of lower priority, although the wide one exceeds the quota."""
    fixed = running("fixed", owner="blue", never_preempt=True)
    for priority, victims in ((9, []), (0, []), (-1, ["wide"])):
        jobs = (running("wide", priority, holds=3, owner="red"), fixed, waiting("small", owner="red", after=5))
        decided = decide(4, *jobs, red=replace(RED, quota=gpus(2)))
        assert [entry.victim.job.name for entry in decided.preemptions] == victims


def test_an_owner_takes_its_quota_back_from_a_job_whose_preemptions_are_used_up() -> None:
    urgent = waiting("b", 1, owner="blue")
    (entry,) = decide(1, WORN, urgent, blue=BLUE_OWNS).preemptions
    assert (entry.victim, entry.reason.code) == (WORN, ReasonCode.RECLAIMED)
    assert not decide(1, WORN, urgent).preemptions  # without a quota, a higher priority preempts no such job
    assert not decide(1, WORN, urgent, red=replace(RED, quota=gpus(1))).preemptions


def test_of_borrowers_those_with_used_up_preemptions_are_preempted_last() -> None:
    fresh = running("fresh", 5, owner="red")
    decided = decide(2, WORN, fresh, waiting("b", owner="blue"), blue=BLUE_OWNS)
    assert [entry.victim for entry in decided.preemptions] == [fresh]


def test_an_operator_who_turns_preemption_off_also_turns_off_taking_back() -> None:
    snapshot = shared(1, WORN, waiting("b", owner="blue"), blue=BLUE_OWNS)
    policy = replace(snapshot.policy, preemptions_per_job=0)
    assert not plan(replace(snapshot, policy=policy), NOW).preemptions


def test_an_owner_does_not_wait_for_expected_ends() -> None:
    soon = running("r", owner="red", max_runtime=3660)
    for blue, preempts in ((BLUE, False), (BLUE_OWNS, True)):
        snapshot = shared(1, soon, waiting("b", 1, owner="blue"), blue=blue)
        decided = plan(replace(snapshot, policy=replace(snapshot.policy, patience=300)), NOW)
        assert bool(decided.preemptions) is preempts
