"""Judges the liveness invariants, which hold after the faults end (aws-facts 6b, L1 to L5)."""

from collections import Counter

from scheduler.adapters.dynamodb.records.items import capacity_from
from scheduler.adapters.dynamodb.records.sort_keys import queue_key
from scheduler.core.capacity.locations import Location, locations_in, subnets_of
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.work.kind import WorkKind
from support.account.account import Account
from support.account.function_calls import SWEEP_SECONDS
from support.faults.call_faults import FaultPlan
from support.simulation.actors.actors import Actors
from support.simulation.actors.array_users import HELD_AT_REST
from support.simulation.judges.checks import Violation
from support.simulation.judges.held_instances import instances_held_by
from support.simulation.judges.invariants import Invariants
from support.simulation.submissions.squatters import owner_of
from support.simulation.submissions.training_requests import LONGEST_POOL
from support.simulation.submissions.user_requests import UserRequests

#: Each job needs less than half an hour, and a world has a dozen at most.
LONG_ENOUGH = 24 * 3600.0
#: States that only a user ends.
AT_REST = frozenset({JobState.PARKED, JobState.HELD})
#: The lease of a function that died, one lost sweep, and two more.
_IDLE_SECONDS = 90 + 3 * SWEEP_SECONDS
#: An attempt without instances probes a shortage for so long, then the next one may start.
_LONG_WAIT = 600.0


def settle(
    account: Account, actors: Actors, user_requests: UserRequests, invariants: Invariants, fault_plan: FaultPlan
) -> None:
    """Ends the faults, and checks that all jobs end within a day."""
    actors.rest()
    account.fault_plan = fault_plan
    run_to_the_end(account, user_requests, invariants)


def run_to_the_end(account: Account, user_requests: UserRequests, invariants: Invariants) -> None:
    calm_since = idle_since = account.now
    end = account.now + LONG_ENOUGH
    while not _is_over(account, invariants, calm_since) or invariants.rules.is_stop_due(calm_since):
        if account.now > end:
            raise Violation(f"L2: not over after {LONG_ENOUGH} seconds: {_states(invariants)}")
        if not _could_start(account, invariants) or invariants.unmanaged_jobs.is_reconciling(calm_since):
            idle_since = account.now
        elif account.now - idle_since > _IDLE_SECONDS:
            raise Violation(f"L4: budget lies idle: {_states(invariants)}")
        invariants.idle_gpus.check_alarms(calm_since, invariants.jobs)
        invariants.unmanaged_jobs.check_reconciliation(calm_since)
        invariants.rules.check_queue(invariants.jobs, calm_since)
        invariants.stop_notices.check_stops(calm_since)
        invariants.times.check_waiting(invariants.jobs, calm_since)
        invariants.dependencies.check_waiting(invariants.jobs, calm_since)
        invariants.arrays.check_starts(calm_since)
        account.run(SWEEP_SECONDS)
    pools_end = account.now + LONGEST_POOL
    while invariants.pooled and account.now < pools_end:
        account.run(SWEEP_SECONDS)
    account.run(3 * SWEEP_SECONDS)
    invariants.unmanaged_jobs.check_reconciliation(calm_since)
    _check_end(account, user_requests, invariants)


def _is_over(account: Account, invariants: Invariants, calm_since: float) -> bool:
    """Returns whether all jobs have ended. A running submission counts as a job.

    Nothing is over before users have released all arrays: a request that the queue could not read may be repaired.
    """
    if account.now <= calm_since + HELD_AT_REST and invariants.arrays.is_one_held():
        return False
    jobs = invariants.jobs.values()
    are_at_rest = all(job.is_finished or _rests(job, account, invariants) for job in jobs)
    return not account.function_calls.await_answers and are_at_rest and invariants.arrays.rest(invariants.jobs)


def _rests(job: Job, account: Account, invariants: Invariants) -> bool:
    """Returns whether the job, or a job for which it waits, can continue only if a user or an operator acts."""
    if job.status.state in AT_REST or _waits_for_operators(job, account, invariants):
        return True
    if not job.status.awaits:
        return False
    other = invariants.jobs.get(job.status.awaits)
    if other is None:
        return invariants.arrays.stays_open(job.status.awaits)  # its expiry ends it, too
    return _rests(other, account, invariants) and not _will_expire(other)


def _will_expire(job: Job) -> bool:
    return job.options.times.expires is not None and not job.status.attempts


def _waits_for_operators(job: Job, account: Account, invariants: Invariants) -> bool:
    """Returns whether each of the job's choices exceeds the budget, a share or a cap, is forbidden or was replaced.

    If all choices exceed the budget, or are forbidden, the job does not wait.
    """
    choices = [*job.each_choice]
    in_budget = [choice for choice in choices if _fits(choice, invariants)]
    fitting = [choice for choice in in_budget if _may_ever_hold(choice, invariants)]
    allowed = [choice for choice in fitting if invariants.rules.allow(choice) and not _is_replaced(choice, account)]
    return job.is_queued and not _will_expire(job) and bool(in_budget) and len(fitting) < len(choices) and not allowed


def _may_ever_hold(choice: Job, invariants: Invariants) -> bool:
    return invariants.shares.may_ever_hold(choice) and invariants.interactive.may_ever_hold(choice)


def _is_replaced(choice: Job, account: Account) -> bool:
    digest = choice.body_digests[choice.spec.choice]
    return any(digest in key for key in account.service_calls.replaced)


def _fits(job: Job, invariants: Invariants) -> bool:
    return all(count <= invariants.budget[kind] for kind, count in job.spec.demand.counts)


def _could_start(account: Account, invariants: Invariants) -> bool:
    """Returns whether the queue's head could start: instances are free, and no backoff or shortage delays the job."""
    waiting = [job for job in invariants.jobs.values() if job.is_queued and not _backs_off(job, account, invariants)]
    queued = [job for job in waiting if any(_may_ever_hold(choice, invariants) for choice in job.each_choice)]
    if not queued:
        return False
    # A team below its quota comes first, whatever the priorities. Otherwise, recent use decides between the teams.
    by_owner = {(job.owner, job.options.team): job for job in sorted(queued, key=queue_key, reverse=True)}
    heads = [*by_owner.values(), *filter(invariants.preemptions.is_within_a_quota, queued)]
    # Pools are kept while a stopping job is about to free instances.
    is_freed = any(job.status.state is JobState.STOPPING for job in invariants.jobs.values())
    pooled = Counter[str]() if is_freed else invariants.pooled
    free = invariants.budget - (invariants.reserved - pooled) - invariants.unmanaged_jobs.held()
    # Rules may forbid any of its choices, so it surely could start only if all of them are free.
    choices = [choice for head in heads for choice in head.each_choice]
    demands = [count <= free[kind] for choice in choices for kind, count in choice.spec.demand.counts]
    may_start = all(
        invariants.shares.may_start(choice, invariants.live, free)
        and invariants.interactive.may_start(choice, invariants.live)
        for choice in choices
    )
    return all(demands) and may_start and all(_prefix_is_free(head, invariants) for head in heads)


def _backs_off(job: Job, account: Account, invariants: Invariants) -> bool:
    own = job.status.not_before is not None and job.status.not_before.timestamp() > account.now
    return own or job.is_deferred or invariants.arrays.at_limit(job) or _lacks_capacity(job, account, invariants)


def _lacks_capacity(job: Job, account: Account, invariants: Invariants) -> bool:
    """Returns whether the next probe of one of its locations is not due yet, or a processing job probes it."""
    item = account.table.items.get(("CAPACITY", "CAPACITY"))
    shortages = capacity_from(item).shortages if item else ()
    probed = _probed_by_processing_jobs(account, invariants)
    closed = {
        known.location for known in shortages if known.until.timestamp() > account.now or known.location in probed
    }
    return not closed.isdisjoint(locations_in(job, subnets_of(job)))


def _probed_by_processing_jobs(account: Account, invariants: Invariants) -> set[Location]:
    """Returns the locations of new processing jobs. No event reports their start, so they probe until the next poll."""
    new = (
        job
        for job, attempt in invariants.live
        if job.spec.kind is WorkKind.PROCESSING and account.now < attempt.reserved_at.timestamp() + _LONG_WAIT
    )
    return {location for job in new for location in locations_in(job, subnets_of(job))}


def _prefix_is_free(head: Job, invariants: Invariants) -> bool:
    """Returns whether no live job writes to the job's checkpoint prefix, to a parent of it, or inside it."""
    own, live = head.spec.checkpoint_uri, [job for job in invariants.jobs.values() if job.is_live]
    pairs = [(f"{own}/", f"{job.spec.checkpoint_uri}/") for job in live if own and job.spec.checkpoint_uri]
    return not any(one.startswith(other) or other.startswith(one) for one, other in pairs)


def _check_end(account: Account, user_requests: UserRequests, invariants: Invariants) -> None:
    accepted = user_requests.accepted.keys() | user_requests.processing.keys() | user_requests.tuning.keys()
    lost = accepted - invariants.jobs.keys()
    if lost:
        raise Violation(f"S3: accepted and gone: {lost}")
    invariants.idle_gpus.check_no_alarms()
    invariants.arrays.check_end(invariants.jobs)
    invariants.processing.check_end()
    invariants.tuning.check_end()
    if invariants.reserved:
        raise Violation(f"L1: still reserved: {invariants.reserved}")
    held: Counter[str] = Counter()
    for job in account.simulation.machine.jobs.values():
        if owner_of(job) and job.holds_instances:
            held.update(instances_held_by(job))
    if held:
        raise Violation(f"L1: still held: {held}")
    good = {
        owner_of(job) for job in account.simulation.machine.jobs.values() if owner_of(job) and job.status == "Completed"
    }
    done = {job.name for job in invariants.jobs.values() if job.status.state is JobState.COMPLETED}
    if good - done:
        raise Violation(f"S3: completed in SageMaker, not in the queue: {good - done}")


def _states(invariants: Invariants) -> dict[str, str]:
    return {job.name: f"{job.status.state} ({job.status.reason.code})" for job in invariants.jobs.values()}
