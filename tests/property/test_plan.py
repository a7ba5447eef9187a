"""Properties of every plan."""

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from math import inf
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scheduler.core.capacity.locations import locations_in
from scheduler.core.jobs.demand import Demand, total
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.elastic.growing import width_of
from scheduler.core.planner.ordering.queue_order import order_queue
from scheduler.core.planner.placement.alternative_selection import select_alternatives
from scheduler.core.planner.plan import Plan, Reservation
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from support.builders.random_snapshots import (
    NOW,
    snapshots,
    snapshots_of_equals,
    snapshots_of_young_attempts,
    snapshots_with_a_claim,
    snapshots_with_an_elder,
    snapshots_with_elastic_jobs,
    snapshots_with_saves,
)
from support.protection import has_ended_protection

#: Their places are held for them: what they need is not there for others.
HELD = {"waits_for_stopping", "waits_for_preemption"}


def victims_of(decided: Plan, beneficiary: Job) -> list[LiveJob]:
    return [entry.victim for entry in decided.preemptions if entry.beneficiary.name == beneficiary.name]


def demand_of(live: list[LiveJob]) -> Demand:
    return total(one.attempt.demand for one in live)


def to_be_released(snapshot: Snapshot, decided: Plan) -> Demand:
    stopping = [one for one in snapshot.live if one.job.status.state is JobState.STOPPING]
    pools = total(pool.demand for pool in decided.releases)
    return demand_of([*stopping, *(entry.victim for entry in decided.preemptions)]) + pools - kept_by(decided)


def kept_by(decided: Plan) -> Demand:
    """Returns the instances on which narrowed jobs continue."""
    return total(entry.continues_on for entry in decided.preemptions)


def reserved_for(decided: Plan) -> Demand:
    """Returns the instances of the jobs that the plan starts, or holds a place for."""
    return total(job.spec.demand for job in started_or_with_a_place(decided))


def started_or_with_a_place(decided: Plan) -> list[Job]:
    return [*with_a_place(decided), *(entry.job for entry in decided.launches)]


def with_a_place(decided: Plan) -> list[Job]:
    return [entry.job for entry in decided.waits if entry.reason.code in HELD]


def without_shrinking(snapshot: Snapshot) -> bool:
    return snapshot.held.fits(snapshot.budget.limit)


@given(snapshots())
def test_launches_stay_within_the_budget(snapshot: Snapshot) -> None:
    launched = total(entry.job.spec.demand for entry in plan(snapshot, NOW).launches)
    for kind in launched:
        assert snapshot.held[kind] + launched[kind] <= snapshot.budget.limit[kind]


@given(st.one_of(snapshots(), snapshots_with_elastic_jobs()))
def test_no_instance_is_reserved_twice(snapshot: Snapshot) -> None:
    decided = plan(snapshot, NOW)
    room = snapshot.budget.limit - snapshot.held + to_be_released(snapshot, decided)
    for kind in reserved_for(decided):
        assert reserved_for(decided)[kind] <= room[kind]


@given(snapshots())
def test_a_victim_has_strictly_lower_priority_and_is_taken_once(snapshot: Snapshot) -> None:
    decided = plan(snapshot, NOW)
    assert all(entry.victim.job.options.priority < entry.beneficiary.options.priority for entry in decided.preemptions)
    assert all(count == 1 for count in Counter(entry.victim.job.name for entry in decided.preemptions).values())
    assert all(entry.victim.job.status.state is JobState.RUNNING for entry in decided.preemptions)


@given(snapshots())
def test_no_protected_job_is_preempted(snapshot: Snapshot) -> None:
    policy = snapshot.policy
    for entry in plan(snapshot, NOW).preemptions:
        victim, beneficiary = entry.victim, entry.beneficiary
        assert not victim.job.options.never_preempt
        assert victim.job.status.preemptions < policy.preemptions_per_job
        assert has_ended_protection(victim, policy, NOW)
        assert NOW - beneficiary.submitted_at >= timedelta(seconds=policy.patience)


@given(snapshots_of_young_attempts())
def test_a_young_attempt_is_preempted_where_that_loses_little_and_nowhere_else(snapshot: Snapshot) -> None:
    (urgent,), decided = snapshot.queued, plan(snapshot, NOW)
    victims, possible = (
        victims_of(decided, urgent),
        [has_ended_protection(one, snapshot.policy, NOW) for one in snapshot.live],
    )
    assert all(has_ended_protection(victim, snapshot.policy, NOW) for victim in victims)
    assert bool(victims) == (sum(possible) >= width_of(urgent.spec.demand))


@given(st.one_of(snapshots(), snapshots_with_elastic_jobs()))
def test_no_victim_is_spare(snapshot: Snapshot) -> None:
    """Without any one of its victims a beneficiary finds no room beside what was promised."""
    decided = plan(snapshot, NOW)
    room = snapshot.budget.limit - snapshot.held + to_be_released(snapshot, decided) - reserved_for(decided)
    kept_for_an_elder = total(one.job.spec.demand for one in decided.reservations)
    for entry in decided.preemptions:
        spare = entry.victim.attempt.demand - entry.continues_on
        freed, used = freed_and_used_later(decided, entry.beneficiary)
        needed = entry.beneficiary.spec.demand
        left = {kind: room[kind] - (freed[kind] - used[kind]) - spare[kind] for kind in needed}
        assert any(left[kind] < kept_for_an_elder[kind] for kind in needed), entry.victim.job.name


@given(snapshots_with_saves())
def test_of_victims_alike_those_are_stopped_whose_last_save_is_newest(snapshot: Snapshot) -> None:
    """A job without a save is stopped only after all others, unless its work is older than the grace."""
    decided = plan(snapshot, NOW)
    victims = victims_of(decided, snapshot.queued[0])
    spared = [one for one in snapshot.live if one not in victims]
    assert demand_of(victims) == snapshot.queued[0].spec.demand
    grace = timedelta(seconds=snapshot.policy.unsaved_grace)
    for victim in victims:
        if NOW - kept_since(victim) <= grace:
            assert all(is_as_dear(one, victim) and NOW - kept_since(one) <= grace for one in spared)


def kept_since(live: LiveJob) -> datetime:
    """Returns the time from which on the program has saved nothing."""
    saved = live.attempt.saved
    return live.started_at if saved is None or saved.step is None else saved.saved_at


def is_as_dear(spared: LiveJob, victim: LiveJob) -> bool:
    has_no_save = [one.attempt.saved is not None and one.attempt.saved.step is None for one in (spared, victim)]
    if has_no_save[0] != has_no_save[1]:
        return has_no_save[0]
    return kept_since(spared) <= kept_since(victim)


def freed_and_used_later(decided: Plan, beneficiary: Job) -> tuple[Demand, Demand]:
    """Returns what is freed for the beneficiaries that were considered after this one, and what they need."""
    order = list(dict.fromkeys(entry.beneficiary.name for entry in decided.preemptions))
    later = order[order.index(beneficiary.name) + 1 :]
    entries = [entry for entry in decided.preemptions if entry.beneficiary.name in later]
    needs = {entry.beneficiary.name: entry.beneficiary.spec.demand for entry in entries}
    freed = total(entry.victim.attempt.demand - entry.continues_on for entry in entries)
    return freed, total(needs.values())


@given(snapshots())
def test_each_victim_gives_something_that_its_beneficiary_needs(snapshot: Snapshot) -> None:
    for entry in plan(snapshot, NOW).preemptions:
        assert entry.victim.attempt.demand.shares_a_type_with(entry.beneficiary.spec.demand)


@given(snapshots(), st.randoms(use_true_random=False))
def test_the_plan_depends_on_nothing_but_the_snapshot_and_the_time(snapshot: Snapshot, random: Random) -> None:
    live, queued = list(snapshot.live), list(snapshot.queued)
    random.shuffle(live)
    random.shuffle(queued)
    shuffled = replace(snapshot, live=tuple(live), queued=tuple(queued))
    assert plan(shuffled, NOW) == plan(snapshot, NOW)


@given(snapshots())
def test_every_queued_job_leaves_the_plan_with_one_reason(snapshot: Snapshot) -> None:
    decided = plan(snapshot, NOW)
    launched, waiting = [entry.job.name for entry in decided.launches], [entry.job.name for entry in decided.waits]
    parked = [entry.job.name for entry in decided.parks]
    assert Counter(launched + waiting + parked) == Counter(job.name for job in snapshot.queued)
    assert all(decided.reason_for(job.name) for job in snapshot.queued)


@given(st.one_of(snapshots(), snapshots_with_elastic_jobs()))
def test_a_job_that_passes_cannot_delay_a_reservation(snapshot: Snapshot) -> None:
    """At its start there is room for each reserved job, even if everything runs as long as it may."""
    if without_shrinking(snapshot):
        check_reservations(snapshot, plan(snapshot, NOW))


@given(snapshots_with_an_elder())
def test_a_reservation_moves_if_a_higher_rank_takes_what_it_counted_on(snapshot: Snapshot) -> None:
    decided = plan(snapshot, NOW)
    assert decided.preemptions
    check_reservations(snapshot, decided)


def check_reservations(snapshot: Snapshot, decided: Plan) -> None:
    for position, reserved in enumerate(decided.reservations):
        if reserved.starts_at is not None:
            ahead = total(
                one.job.spec.demand for one in decided.reservations[:position] if not has_ended(one, reserved)
            )
            assert reserved.job.spec.demand.fits(free_at(reserved.starts_at, snapshot, decided) - ahead)


def has_ended(one: Reservation, other: Reservation) -> bool:
    """Whether the first's job has met its limit when the other's starts."""
    if one.starts_at is None or other.starts_at is None:
        return False
    return one.starts_at + timedelta(seconds=one.job.spec.max_runtime) <= other.starts_at


def free_at(time: datetime, snapshot: Snapshot, decided: Plan) -> Demand:
    """Returns the free instances if every job runs to its limit; jobs with a reserved place begin immediately."""
    victims = {entry.victim.job.name for entry in decided.preemptions}
    staying = [
        one.attempt.demand
        for one in snapshot.live
        if one.job.status.state is not JobState.STOPPING
        and one.job.name not in victims
        and max(NOW, one.started_at + timedelta(seconds=one.job.spec.max_runtime)) > time
    ]
    starting = [entry.job for entry in decided.launches] + with_a_place(decided)
    begun = [job.spec.demand for job in starting if NOW + timedelta(seconds=job.spec.max_runtime) > time]
    continued = [
        entry.continues_on
        for entry in decided.preemptions
        if NOW + timedelta(seconds=entry.victim.job.spec.max_runtime) > time
    ]
    return snapshot.budget.limit - total([*staying, *begun, *continued, snapshot.held_by_unmanaged_jobs])


@given(st.one_of(snapshots(), snapshots_of_equals(), snapshots_with_a_claim()))
def test_only_a_higher_rank_or_a_job_that_passes_a_claim_delays_a_reservation(snapshot: Snapshot) -> None:
    snapshot = select_alternatives(snapshot, NOW)  # the order depends on the choices with which jobs are considered
    decided, in_order = plan(snapshot, NOW), order_queue(snapshot, NOW).jobs
    highest = max((job.options.priority for job in with_a_place(decided)), default=-inf)
    if any(one.job.options.priority < highest for one in decided.reservations):
        return
    for reserved in decided.reservations:
        position = [job.name for job in in_order].index(reserved.job.name) + 1
        is_claim_passed = any(job in with_a_place(decided) for job in in_order[position:]) and any(
            claims(decided, job) for job in in_order[:position]
        )
        nobody_behind = replace(snapshot, queued=tuple(in_order[:position]))
        assert is_claim_passed or reserved in plan(nobody_behind, NOW).reservations


def claims(decided: Plan, job: Job) -> bool:
    """Returns whether the job may preempt, but only later."""
    reason = decided.reason_for(job.name)
    return reason is not None and reason.code is ReasonCode.WAITS_TO_PREEMPT


@given(snapshots_with_a_claim())
def test_a_job_of_lower_rank_or_narrower_takes_nothing_that_a_claim_needs(snapshot: Snapshot) -> None:
    decided, head = plan(snapshot, NOW), order_queue(snapshot, NOW).jobs[0]
    if not claims(decided, head):
        return
    alone = plan(replace(snapshot, queued=(head,), policy=replace(snapshot.policy, patience=0)), NOW)
    needed = {victim.job.name for victim in victims_of(alone, head)}
    assert needed
    for entry in decided.preemptions:
        assert entry.victim.job.name not in needed or precedence(entry.beneficiary) >= precedence(head)
    if all(precedence(job) <= precedence(head) for job in with_a_place(decided)):
        assert not set(decided.releases) & set(alone.releases)


def precedence(job: Job) -> tuple[int, int]:
    return (job.options.priority, sum(count for _, count in job.spec.demand.counts))


@given(snapshots())
def test_no_two_jobs_with_instances_write_to_one_checkpoint_prefix(snapshot: Snapshot) -> None:
    prefixes = [job.spec.checkpoint_uri or "" for job in started_or_with_a_place(plan(snapshot, NOW))]
    assert len([uri for uri in prefixes if uri.startswith("s3://b/one")]) <= 1
    assert len([uri for uri in prefixes if uri == "s3://b/three"]) <= 1


@given(snapshots())
def test_no_owner_gets_instances_for_more_jobs_than_the_cap(snapshot: Snapshot) -> None:
    cap = snapshot.policy.running_per_owner
    decided = plan(snapshot, NOW)
    before = Counter(one.job.owner_key for one in snapshot.live)
    for owner, count in Counter(job.owner_key for job in started_or_with_a_place(decided)).items():
        assert not cap or before[owner] + count <= cap


@given(snapshots())
def test_what_starts_takes_a_choice_of_its_own_and_no_worse_one_than_it_has_to(snapshot: Snapshot) -> None:
    for launch in plan(snapshot, NOW).launches:
        if launch.job.choices:
            assert launch.job == launch.job.as_choice(launch.job.spec.choice)
            alone = plan(replace(snapshot, queued=(launch.job,)), NOW).launches
            assert [other.job.spec.choice <= launch.job.spec.choice for other in alone] == [True]


@given(snapshots())
def test_after_a_shortage_no_job_starts_before_the_next_try_and_then_one_at_a_time(
    snapshot: Snapshot,
) -> None:
    started = Counter(
        location.instance_type
        for launch in plan(snapshot, NOW).launches
        for location in locations_in(launch.job, ("",))
    )
    for known in snapshot.capacity.shortages:
        assert started[known.location.instance_type] <= (known.until <= NOW)


@given(snapshots())
def test_no_job_starts_before_its_time_or_after_its_expiry_nor_keeps_instances(snapshot: Snapshot) -> None:
    decided = plan(snapshot, NOW)
    for job in (*decided.jobs_with_instances, *(entry.beneficiary for entry in decided.preemptions)):
        times = job.options.times
        assert times.not_before is None or times.not_before <= NOW
        assert times.expires is None or times.expires > NOW or job.status.attempts
