"""Elastic jobs give up instances before any job is stopped outright."""

from dataclasses import replace
from datetime import timedelta

from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.demand import NOTHING, Demand, InstanceRange
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.stop_notice import Save
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.plan_effects import preempted
from scheduler.core.planner.planning import plan
from support.builders.jobs import NOON, Choice
from support.builders.snapshots import a_snapshot, gpus, running, waiting

LATER = NOON + timedelta(hours=1)


def elastic(name: str, priority: int = 0, *, holds: int = 8, most: int = 8, saves: bool = True) -> LiveJob:
    """Returns a running job that can use 8, 6, 4 or 2 instances, or as many as `most` in steps of two."""
    choices = [Choice(gpus(count), 86_400) for count in range(most, 0, -2)]
    prefix = f"s3://bucket/{name}" if saves else None
    live = running(
        name, priority, holds=most, choices=choices, instances=InstanceRange(2, most, 2), checkpoint_uri=prefix
    )
    job = live.job.with_choice_for(gpus(holds))
    return LiveJob(job, replace(live.attempt, demand=gpus(holds)))


def decide(budget: int, *jobs: Job | LiveJob) -> Plan:
    return plan(a_snapshot(budget, *jobs), LATER)


def kept(decided: Plan) -> dict[str, Demand]:
    """Returns the instances on which each victim continues."""
    return {entry.victim.job.name: entry.continues_on for entry in decided.preemptions}


def test_an_elastic_job_keeps_the_most_instances_that_the_higher_job_leaves() -> None:
    decided = decide(8, elastic("wide"), waiting("high", 3, needs=3))
    assert kept(decided) == {"wide": gpus(4)}
    (entry,) = decided.preemptions
    assert entry.reason.code is ReasonCode.NARROWED
    assert entry.reason.message == "narrowed to 4 × ml.g5.xlarge by high (priority 3 over 0)"
    waits = decided.reason_for("high")
    assert waits is not None
    assert waits.message == "preempts wide (which continues on 4 × ml.g5.xlarge)"


def test_nobody_is_stopped_outright_if_elastic_jobs_give_enough() -> None:
    decided = decide(12, running("low", 0, holds=4), elastic("wide", 1), waiting("high", 3, needs=4))
    assert kept(decided) == {"wide": gpus(4)}


def test_several_elastic_jobs_give_together() -> None:
    decided = decide(16, elastic("one"), elastic("two"), waiting("high", 3, needs=8))
    assert kept(decided) == {"one": gpus(2), "two": gpus(6)}


def test_others_are_stopped_too_if_elastic_jobs_cannot_give_enough() -> None:
    decided = decide(8, running("low", 0, holds=4), elastic("wide", 0, holds=4, most=4), waiting("high", 3, needs=6))
    assert kept(decided) == {"low": NOTHING, "wide": gpus(2)}
    everything = decide(8, running("low", 0, holds=4), elastic("wide", 0, holds=4, most=4), waiting("high", 3, needs=8))
    assert kept(everything) == {"low": NOTHING, "wide": NOTHING}


def test_an_elastic_job_that_would_lose_all_its_work_is_a_victim_like_any_other() -> None:
    decided = decide(12, running("low", 0, holds=4), elastic("wide", 1, saves=False), waiting("high", 3, needs=4))
    assert kept(decided) == {"low": NOTHING}
    unsaved = elastic("wide", 1)
    unsaved = replace(unsaved, attempt=replace(unsaved.attempt, saved=Save(None, NOON)))
    assert kept(decide(12, running("low", 0, holds=4), unsaved, waiting("high", 3, needs=4))) == {"low": NOTHING}


def test_a_job_at_its_smallest_width_is_a_victim_like_any_other() -> None:
    assert kept(decide(2, elastic("wide", holds=2), waiting("high", 3))) == {"wide": NOTHING}


def test_the_kept_instances_are_held_while_the_job_stops_and_until_it_continues() -> None:
    high, equal = waiting("high", 3, needs=4), waiting("equal", 0, needs=4, after=-60)
    (entry,) = decide(8, elastic("wide"), high).preemptions
    stopping = preempted(entry, LATER)
    assert stopping.continues_on == gpus(4)
    codes = [reason.code for _, reason in decide(8, stopping, high, equal).waits]
    assert codes == [ReasonCode.WAITS_FOR_STOPPING, ReasonCode.WAITS_FOR_BUDGET]
    back = ended(stopping)
    assert (back.status.state, back.status.preemptions) == (JobState.PREEMPTED, 1)
    launched = {entry.job.name: entry.job.spec.demand for entry in decide(8, back, high, equal).launches}
    assert launched == {"high": gpus(4), "wide": gpus(4)}


def test_a_job_of_higher_rank_comes_before_a_narrowed_job() -> None:
    high, middle = waiting("high", 3, needs=4), waiting("middle", 1, needs=4)
    (entry,) = decide(8, elastic("wide"), high).preemptions
    decided = decide(8, ended(preempted(entry, LATER)), high, middle)
    assert [entry.job.name for entry in decided.launches] == ["high", "middle"]


def ended(live: LiveJob) -> Job:
    return transitions.end_attempt(live.job, live.attempt, Observation("Stopped", "Stopped", LATER), LATER)
