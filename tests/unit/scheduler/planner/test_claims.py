"""A job that may preempt, but only later, claims the jobs that it would preempt, and blocks no job that may now."""

from dataclasses import replace
from datetime import timedelta

from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from support.builders.jobs import NOON
from support.builders.snapshots import a_snapshot, pool, running, waiting

LATER = NOON + timedelta(hours=1)
POLICY = Policy(patience=300, protected_run_time=0)


def decide(budget: int, *jobs: Job | LiveJob) -> Plan:
    return plan(replace(a_snapshot(budget, *jobs), policy=POLICY), LATER)


def preempted(decided: Plan) -> dict[str, str]:
    """Returns the beneficiary of each victim."""
    return {entry.victim.job.name: entry.beneficiary.name for entry in decided.preemptions}


def reason(decided: Plan, name: str) -> tuple[ReasonCode, str]:
    found = decided.reason_for(name)
    assert found is not None
    return found.code, found.message


def young(name: str, priority: int, *, needs: int = 1) -> Job:
    return waiting(name, priority, needs=needs, after=58)


def back_in_queue(name: str, priority: int, *, needs: int = 1) -> Job:
    """Returns a job that was preempted a minute ago: it is ahead of jobs that have waited for longer."""
    past = EndedAttempt(f"{name}-sq-1", 1, Outcome.PREEMPTED, NOON, LATER - timedelta(minutes=1), beneficiary="top")
    return waiting(name, priority, needs=needs, state=JobState.PREEMPTED, preemptions=1, history=(past,))


def test_a_job_that_has_waited_long_enough_passes_a_higher_one_that_has_not_and_leaves_it_its_victims() -> None:
    decided = decide(2, running("low1"), running("low2"), young("young", 5), waiting("patient", 3))
    assert preempted(decided) == {"low2": "patient"}
    code, message = reason(decided, "young")
    assert code is ReasonCode.WAITS_TO_PREEMPT
    assert message == "needs 1 × ml.g5.xlarge; it will preempt low1 after 2026-11-21 13:03:00 UTC"


def test_a_lower_job_gets_no_victim_that_a_claim_needs() -> None:
    decided = decide(2, running("low1"), running("low2"), young("young", 5, needs=2), waiting("patient", 3))
    assert preempted(decided) == {}
    assert reason(decided, "patient") == (
        ReasonCode.WAITS_BEHIND,
        "young is ahead of it and waits for the same instances",
    )


def test_a_wider_job_of_the_same_rank_takes_what_a_narrower_one_claims_and_a_narrower_one_does_not() -> None:
    live = [running("low1"), running("low2")]
    wide = waiting("wide", 3, needs=2, after=1)
    assert preempted(decide(2, *live, back_in_queue("back", 3), wide)) == {"low1": "wide", "low2": "wide"}
    narrow = waiting("narrow", 3, after=1)
    assert preempted(decide(2, *live, back_in_queue("back", 3, needs=2), narrow)) == {}


def test_among_equals_the_one_that_may_preempt_now_takes_the_victim() -> None:
    decided = decide(1, running("low"), back_in_queue("back", 3), waiting("patient", 3, after=1))
    assert preempted(decided) == {"low": "patient"}


def test_a_job_that_has_not_waited_long_enough_passes_no_claim() -> None:
    decided = decide(2, running("low1"), running("low2"), young("first", 5), young("second", 3))
    assert preempted(decided) == {}
    assert reason(decided, "second")[0] is ReasonCode.WAITS_BEHIND


def test_a_reservation_without_claims_is_not_passed() -> None:
    live = [running("low"), running("equal", 3, holds=2)]
    decided = decide(3, *live, waiting("wide", 3, needs=3), waiting("patient", 2))
    assert preempted(decided) == {}
    assert reason(decided, "wide")[0] is ReasonCode.WAITS_FOR_BUDGET


def test_an_instance_that_is_expected_soon_spares_one_job_only() -> None:
    # `ending` is expected to end within the patience, at its time limit.
    live = [running("ending", max_runtime=3720), running("low1"), running("low2")]
    decided = decide(3, *live, waiting("first", 3), waiting("second", 2))
    assert preempted(decided) == {"low1": "second"}
    code, message = reason(decided, "first")
    assert code is ReasonCode.WAITS_TO_PREEMPT
    assert message.endswith("it will preempt ending unless enough instances become free within 5m")


def test_a_job_that_passes_a_claim_leaves_it_the_pools() -> None:
    wide, patient = young("wide", 5, needs=3), waiting("patient", 3)
    snapshot = replace(a_snapshot(3, running("low1"), running("low2"), wide, patient), pools=(pool("past"),))
    decided = plan(replace(snapshot, policy=POLICY), LATER)
    assert (decided.preemptions, decided.releases) == ((), ())
    assert reason(decided, "patient")[0] is ReasonCode.WAITS_BEHIND
