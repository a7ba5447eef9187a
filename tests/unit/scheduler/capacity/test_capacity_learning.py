"""Attempts update what the queue knows of capacity."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from scheduler.core.capacity.capacity_learning import (
    CapacityEvidence,
    evidence_of_end,
    evidence_of_live,
    with_evidence,
    without_outdated,
)
from scheduler.core.capacity.capacity_memory import LONG_WAIT, CapacityMemory, Interruptions, Shortage
from scheduler.core.capacity.locations import Location
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from support.builders.jobs import GPU, NOON, a_job, a_sighting, an_attempt

HERE = Location(GPU)
MINUTE = timedelta(minutes=1)
NO_CAPACITY = "CapacityError: Unable to provision requested ML compute capacity."


def after(memory: CapacityMemory, evidence: CapacityEvidence, minutes: int = 0) -> CapacityMemory:
    return with_evidence(memory, evidence, lambda failures: 60 * failures, NOON + minutes * MINUTE)


def lacking(reserved: int = 0, *locations: Location) -> CapacityEvidence:
    """An attempt, reserved so many minutes after noon, found nothing."""
    return CapacityEvidence(locations or (HERE,), NOON + reserved * MINUTE, lacked_instances=True)


def a_shortage(failed: int = 0, failures: int = 1) -> CapacityMemory:
    failed_at = NOON + failed * MINUTE
    return CapacityMemory((Shortage(HERE, failures, failed_at, failed_at + failures * MINUTE),))


def an_end(ended: int, **changes: object) -> EndedAttempt:
    past = EndedAttempt("resnet-sq-1", 1, Outcome.FAILED, reserved_at=NOON, ended_at=NOON + ended * MINUTE)
    return replace(past, **changes)  # type: ignore[arg-type] # as the tests say


def live(**changes: object) -> LiveJob:
    job = a_job()
    return LiveJob(job, replace(an_attempt(job, created=True), **changes))  # type: ignore[arg-type] # as the tests say


def test_the_first_failure_records_a_shortage_of_its_location() -> None:
    assert after(CapacityMemory(), lacking()) == a_shortage()


def test_a_failed_probe_makes_the_pause_longer() -> None:
    assert after(a_shortage(), lacking(reserved=2), minutes=3) == a_shortage(failed=3, failures=2)


def test_an_attempt_from_before_the_last_failure_adds_nothing() -> None:
    known = a_shortage(failed=5)
    assert not lacking(reserved=1).is_new_to(known)
    assert after(known, lacking(reserved=1), minutes=6) == known


def test_instances_that_came_after_the_failure_end_the_shortage() -> None:
    came = CapacityEvidence((HERE,), NOON, got_instances_at=NOON + 6 * MINUTE)
    assert came.is_new_to(a_shortage(failed=5))
    assert after(a_shortage(failed=5), came, minutes=7) == CapacityMemory()


def test_instances_that_came_before_the_failure_add_nothing() -> None:
    came = CapacityEvidence((HERE,), NOON, got_instances_at=NOON + 4 * MINUTE)
    assert not came.is_new_to(a_shortage(failed=5))


def test_a_shortage_that_no_attempt_probed_for_a_day_is_forgotten() -> None:
    elsewhere = Location(GPU, subnet="subnet-2")
    known = after(a_shortage(), lacking(24 * 60, elsewhere), minutes=25 * 60)
    assert [shortage.location for shortage in known.shortages] == [elsewhere]


def test_shortages_and_interruptions_of_the_day_before_are_outdated() -> None:
    elsewhere = Location(GPU, subnet="subnet-2")
    recent = Shortage(elsewhere, 1, NOON, NOON + 30 * MINUTE)
    interruptions = Interruptions(elsewhere, 1, NOON + 30 * MINUTE)
    memory = CapacityMemory((*a_shortage().shortages, recent), (Interruptions(HERE, 1, NOON), interruptions))
    known = without_outdated(memory, NOON + timedelta(hours=24, minutes=1))
    assert known == CapacityMemory((recent,), (interruptions,))


def test_a_capacity_failure_shows_a_shortage() -> None:
    assert evidence_of_end(live(), an_end(1, failure_reason=NO_CAPACITY)).lacked_instances


def test_any_other_failure_shows_no_shortage() -> None:
    evidence = evidence_of_end(live(), an_end(1, failure_reason="AlgorithmError: exit code 1"))
    assert not evidence.is_new_to(CapacityMemory())


def test_an_attempt_that_trained_shows_no_shortage() -> None:
    trained = an_end(1, failure_reason=NO_CAPACITY, training_started_at=NOON)
    assert not evidence_of_end(live(), trained).lacked_instances


def test_an_attempt_of_two_types_shows_no_shortage_of_either() -> None:
    both = a_job(demand=Demand.of({GPU: 1, "ml.m5.large": 1}))
    evidence = evidence_of_end(LiveJob(both, an_attempt(both)), an_end(1, failure_reason=NO_CAPACITY))
    assert not evidence.lacked_instances


def test_an_attempt_that_is_stopped_after_a_long_wait_shows_a_shortage() -> None:
    assert evidence_of_end(live(), an_end(10)).lacked_instances
    assert not evidence_of_end(live(), an_end(9)).lacked_instances
    assert not evidence_of_end(live(), an_end(30, training_started_at=NOON + MINUTE)).lacked_instances


def test_a_long_wait_counts_once() -> None:
    waits = live(observation=a_sighting(secondary_status="Pending"))
    lacked_instances = [
        [evidence.lacked_instances for evidence in evidence_of_live([waits], NOON + LONG_WAIT + minutes * MINUTE)]
        for minutes in (-1, 0)
    ]
    assert lacked_instances == [[], [True]]
    known = after(CapacityMemory(), next(iter(evidence_of_live([waits], NOON + LONG_WAIT))), minutes=10)
    assert not next(iter(evidence_of_live([waits], NOON + LONG_WAIT + MINUTE))).is_new_to(known)


def test_interruptions_are_counted_at_their_location() -> None:
    evidence = evidence_of_end(live(), an_end(30, training_started_at=NOON, interruptions=2))
    known = after(CapacityMemory(interruptions=(Interruptions(HERE, 1, NOON),)), evidence, minutes=30)
    assert known.interruptions == (Interruptions(HERE, 3, NOON + 30 * MINUTE),)


BOTH = Demand.of({GPU: 1, "ml.m5.large": 2})
STARTED: dict[str, Any] = {"training_started_at": NOON + MINUTE}


def preferring(selected: Demand = NOTHING, **seen: Any) -> LiveJob:
    job = a_job(demand=BOTH, has_preferences=True, selected=selected, state=JobState.RUNNING)
    return LiveJob(job, an_attempt(job, created=True, observation=a_sighting(**seen)))


def test_instances_of_preferences_count_once_sagemaker_has_reported_its_selection() -> None:
    assert list(evidence_of_live([preferring(**STARTED)], NOON + 2 * MINUTE)) == []
    (evidence,) = evidence_of_live([preferring(Demand.of({GPU: 1}), **STARTED)], NOON + 2 * MINUTE)
    assert evidence.locations == (HERE,)


def test_the_end_of_an_attempt_counts_for_the_selected_preference_only() -> None:
    known = evidence_of_end(preferring(), an_end(30, selected=Demand.of({GPU: 1}), **STARTED))
    assert (known.locations, known.got_instances_at) == ((HERE,), NOON + MINUTE)
    assert evidence_of_end(preferring(), an_end(30, **STARTED)).got_instances_at is None


def test_a_long_wait_shows_a_shortage_of_all_preferences() -> None:
    (evidence,) = evidence_of_live([preferring(secondary_status="Pending")], NOON + LONG_WAIT)
    assert evidence.lacked_instances
    assert {location.instance_type for location in evidence.locations} == {*BOTH}
