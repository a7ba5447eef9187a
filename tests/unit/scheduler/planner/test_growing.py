"""Running elastic jobs get more instances that no waiting job can use."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from scheduler.core.calendar.calendar import Excess, ExcessRule, Period
from scheduler.core.capacity.capacity_memory import CapacityMemory, Shortage
from scheduler.core.capacity.locations import Location
from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Observation, Outcome
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, InstanceRange
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.stop_notice import Save
from scheduler.core.jobs.team import Team
from scheduler.core.planner.elastic.growing import seconds_saved
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.plan_effects import grown
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.spending.limits import Measure, ScopeKind, SpendingLimit
from scheduler.core.spending.spending_status import SpendingStatus
from support.builders.jobs import GPU, NOON, Choice, changed_job
from support.builders.snapshots import a_snapshot, gpus, running, training, waiting

HOUR = 3600
LATER = NOON + timedelta(hours=2)
POLICY = Policy(restart_time=300)


def elastic(name: str, priority: int = 0, *, holds: int = 4, hours: int = 10) -> LiveJob:
    """Returns a running job that can use 8, 6, 4 or 2 instances, and that saved a checkpoint a minute ago."""
    choices = [Choice(gpus(count), hours * HOUR) for count in (8, 6, 4, 2)]
    live = running(
        name, priority, holds=8, choices=choices, instances=InstanceRange(2, 8, 2), checkpoint_uri=f"s3://b/{name}"
    )
    saved = Save(100, LATER - timedelta(minutes=1))
    attempt = replace(live.attempt, demand=gpus(holds), saved=saved)
    return training(LiveJob(live.job.with_choice_for(gpus(holds)), attempt))


def decide(budget: int, *jobs: Job | LiveJob, policy: Policy = POLICY) -> Plan:
    return plan(replace(a_snapshot(budget, *jobs), policy=policy), LATER)


def widths(decided: Plan) -> dict[str, Demand]:
    return {entry.live.job.name: entry.wider.spec.demand for entry in decided.growths}


def test_it_grows_to_the_most_free_instances_of_its_range() -> None:
    decided = decide(7, elastic("narrow"))
    assert widths(decided) == {"narrow": gpus(6)}
    (entry,) = decided.growths
    assert entry.reason.code is ReasonCode.GROWING
    # 8 hours on 4 instances are 5 h 20 min on 6. The restart and the unsaved minute cost 6 minutes of these 2 h 40 min.
    message = "grows from 4 × ml.g5.xlarge to 6 × ml.g5.xlarge, and is expected to end 2h34m earlier"
    assert entry.reason.message == message
    assert widths(decide(20, elastic("narrow"))) == {"narrow": gpus(8)}


@pytest.mark.parametrize(("quota", "grown"), [(4, {}), (6, {"narrow": gpus(6)}), (3, {"narrow": gpus(8)})])
def test_it_does_not_lose_the_protection_of_its_teams_quota(quota: int, grown: dict[str, Demand]) -> None:
    teams = (Team("blue", ("*Scientist*",), quota=gpus(quota)), Team("red", ("red",)))
    other = running("other", owner="red", never_preempt=True)
    assert widths(decide(20, elastic("narrow"), other, policy=replace(POLICY, teams=teams))) == grown


def test_it_does_not_push_a_job_of_its_team_out_of_the_quota() -> None:
    teams = (Team("blue", ("*Scientist*",), quota=gpus(8)), Team("red", ("red",)))
    live = [elastic("narrow", 1), running("fixed", holds=2, after=60), running("r", owner="red")]
    assert widths(decide(20, *live, policy=replace(POLICY, teams=teams))) == {"narrow": gpus(6)}


@pytest.mark.parametrize(("minutes", "grown"), [(1, {}), (11, {}), (12, {"narrow": gpus(8)})])
def test_it_does_not_grow_if_its_restart_could_come_too_late_for_the_calendar(
    minutes: int, grown: dict[str, Demand]
) -> None:
    """When the smaller budget begins, an attempt that starts after the notice would still be protected."""
    night = LATER + timedelta(seconds=POLICY.protected_run_time, minutes=minutes)
    period = Period(night, Budget(gpus(2), (GPU,)), ExcessRule(Excess.PREEMPT))
    snapshot = replace(a_snapshot(8, elastic("narrow")), policy=POLICY, periods=(period,))
    assert widths(plan(snapshot, LATER)) == grown


def test_it_does_not_grow_for_less_than_a_restart_costs() -> None:
    assert widths(decide(8, elastic("narrow"), policy=Policy(restart_time=4 * HOUR))) == {}
    assert widths(decide(8, elastic("ends-soon", hours=2))) == {}
    live = elastic("unsaved")
    unsaved = replace(live, attempt=replace(live.attempt, saved=Save(1, NOON)))
    assert seconds_saved(unsaved, live.job.as_choice(0), a_snapshot(8), LATER) == pytest.approx(
        4 * HOUR - 2 * HOUR - 300
    )


def test_nobody_grows_while_a_job_waits_that_could_use_the_instances() -> None:
    assert widths(decide(8, elastic("narrow"), waiting("wide", needs=8, owner="bob"))) == {}


def test_a_waiting_job_of_another_type_hinders_only_jobs_of_its_owner() -> None:
    p5 = Demand.of({"ml.p5.48xlarge": 1})
    narrow, elsewhere = elastic("narrow"), waiting("elsewhere", demand=p5, owner="bob")
    snapshot = replace(a_snapshot(8, narrow, running("holder", demand=p5)), policy=POLICY)
    snapshot = replace(snapshot, budget=Budget.of({GPU: 8, "ml.p5.48xlarge": 1}))
    assert widths(plan(replace(snapshot, queued=(elsewhere,)), LATER)) == {"narrow": gpus(8)}
    of_its_owner = changed_job(elsewhere, owner=narrow.job.owner)
    assert widths(plan(replace(snapshot, queued=(of_its_owner,)), LATER)) == {}


def test_only_a_job_that_may_be_preempted_grows() -> None:
    live = elastic("narrow")
    for changes in ({"never_preempt": True}, {"preemptions": 2}, {"state": JobState.STOPPING}):
        assert widths(decide(8, replace(live, job=changed_job(live.job, **changes)))) == {}
    assert widths(decide(8, live, policy=Policy(restart_time=12 * 60))) == {}  # with a minute, more than a tenth of 2 h
    assert widths(decide(8, replace(live, attempt=replace(live.attempt, keep_alive=600)))) == {}


def test_a_job_under_a_used_up_spending_limit_runs_to_its_end() -> None:
    limit, live = SpendingLimit("each", ScopeKind.OWNER, "*", Measure.GPU_HOURS, Decimal(1)), elastic("narrow")
    scope = limit.scope_of(live.job, "")
    assert scope is not None
    used_up = SpendingStatus((limit,), blocking={("each", scope): Reason(ReasonCode.SPENDING_LIMIT, "used up")})
    snapshot = replace(a_snapshot(8, live), policy=POLICY)
    assert widths(plan(snapshot, LATER)) == {"narrow": gpus(8)}
    assert widths(plan(replace(snapshot, spending_status=used_up), LATER)) == {}


def test_no_job_grows_while_its_owner_runs_more_jobs_than_the_cap() -> None:
    jobs = (elastic("narrow"), running("other"), running("of-another-owner", owner="bob"))
    assert widths(decide(10, *jobs, policy=replace(POLICY, running_per_owner=2))) == {"narrow": gpus(8)}
    assert widths(decide(10, *jobs, policy=replace(POLICY, running_per_owner=1))) == {}


def test_the_highest_priority_grows_first() -> None:
    assert widths(decide(12, elastic("low"), elastic("high", 1))) == {"high": gpus(8)}


def test_no_job_grows_where_sagemaker_lacks_instances() -> None:
    shortage = Shortage(Location(GPU, False, ""), 1, LATER, LATER + timedelta(minutes=5))
    snapshot = replace(a_snapshot(8, elastic("narrow")), policy=POLICY, capacity=CapacityMemory((shortage,)))
    assert plan(snapshot, LATER).growths == ()


def test_a_job_that_grew_starts_on_what_is_free_then() -> None:
    (entry,) = decide(8, elastic("narrow")).growths
    stopping = grown(entry, LATER)
    assert (stopping.job.status.state, stopping.continues_on) == (JobState.STOPPING, gpus(4))
    back = returned(stopping)
    assert (back.status.state, back.status.preemptions) == (JobState.PENDING, 0)
    assert back.status.history[-1].outcome is Outcome.REQUEUED
    assert launched(a_snapshot(8, back)) == {"narrow": gpus(8)}
    higher, equal = waiting("higher", 1, needs=4), waiting("equal", needs=4, after=-60)
    assert launched(a_snapshot(8, back, higher, equal)) == {"higher": gpus(4), "narrow": gpus(4)}


def test_jobs_that_grew_at_once_leave_each_other_what_they_had() -> None:
    decided = decide(12, elastic("one", holds=2), elastic("other", holds=2))
    assert widths(decided) == {"one": gpus(4), "other": gpus(8)}
    one, other = (returned(grown(entry, LATER)) for entry in decided.growths)
    assert launched(a_snapshot(8, one, other)) == {"one": gpus(6), "other": gpus(2)}


def returned(stopping: LiveJob) -> Job:
    return transitions.end_attempt(stopping.job, stopping.attempt, Observation("Stopped", "Stopped", LATER), LATER)


def launched(snapshot: Snapshot) -> dict[str, Demand]:
    return {entry.job.name: entry.job.spec.demand for entry in plan(snapshot, LATER).launches}
