"""Shows warm pools to users: instances, origin, cost, and the waiting jobs that would take a pool over."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from scheduler.core.capacity.capacity_memory import RefusedPool
from scheduler.core.jobs.job import Job
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.warm_pools.matching import differing_fields, matching_fields
from scheduler.core.warm_pools.pool_rules import PoolUse
from scheduler.core.warm_pools.warm_pool import WarmPool
from scheduler.errors.internal import BodyUnavailable, UnknownJob
from scheduler.errors.refusals import UnreadableBody
from scheduler.observe.prices import Prices
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore, SchedulerState, WarmPoolStore


@dataclass(frozen=True, slots=True)
class WarmPoolStatus:
    """A warm pool. `cost` is in US dollars up to now; None if its type has no known price."""

    pool: WarmPool
    cost: Decimal | None
    fits: tuple[str, ...]  # names of waiting jobs
    match: Mapping[str, object]  # the members that a job's request must have; empty if unreadable now


@dataclass(frozen=True, slots=True)
class Misfit:
    """A pool of the job's type, and the fields in which the job differs from it."""

    pool: WarmPool
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WarmPoolReader:
    snapshot_reader: SnapshotReader
    jobs: JobStore
    pools: WarmPoolStore
    state: SchedulerState
    clock: Clock
    prices: Prices

    def now(self) -> tuple[WarmPoolStatus, ...]:
        snapshot, prices = self.snapshot_reader.observe(), self.prices.current()
        return tuple(self._status_of(pool, snapshot, prices) for pool in snapshot.pools if pool.is_readable)

    def refused(self) -> tuple[RefusedPool, ...]:
        """Returns the instance types whose jobs leave no pool although the pool rules ask for one."""
        kept = {kind for kind, rule in self.snapshot_reader.pool_rules().by_type.items() if rule.use is not PoolUse.OFF}
        return tuple(
            refused_pool for refused_pool in self.state.capacity().refused_pools if refused_pool.instance_type in kept
        )

    def misfits(self, job: Job) -> tuple[Misfit, ...]:
        """Returns the pools of its type that an unfinished job does not fit."""
        if job.is_finished or not job.is_readable:
            return ()
        misfits = [Misfit(pool, self._differing(job, pool)) for pool in self.pools.pools() if pool.job_name != job.name]
        return tuple(misfit for misfit in misfits if misfit.fields)

    def _differing(self, job: Job, pool: WarmPool) -> tuple[str, ...]:
        """Returns the differing fields of the closest choice; none if a choice fits, or none has the pool's type."""
        options = job.each_choice if job.is_queued else (job,)
        choices = [option.spec.choice for option in options if option.spec.demand.shares_a_type_with(pool.demand)]
        left_by = self._request_of_pool(pool) if choices else None
        requests = [request for choice in choices if (request := self._request(job.name, choice))]
        return min((differing_fields(request, left_by) for request in requests), key=len, default=()) if left_by else ()

    def _status_of(self, pool: WarmPool, snapshot: Snapshot, prices: PriceList) -> WarmPoolStatus:
        request = self._request_of_pool(pool)
        return WarmPoolStatus(
            pool=pool,
            cost=self._cost(pool, prices),
            fits=tuple(job.name for job in snapshot.queued if _fits(job, pool, snapshot)),
            match=matching_fields(request) if request else {},
        )

    def _cost(self, pool: WarmPool, prices: PriceList) -> Decimal | None:
        seconds = (self.clock.now() - pool.ended_at).total_seconds() if pool.ended_at else 0.0
        return prices.cost(pool.instances, max(0.0, seconds))  # clocks may differ

    def _request_of_pool(self, pool: WarmPool) -> dict[str, Any] | None:
        """Returns the request of the attempt that left the pool."""
        try:
            history = self.jobs.get(pool.job_name).status.history
        except UnknownJob:
            return None
        return self._request(
            pool.job_name,
            next((ended_attempt.choice for ended_attempt in history if ended_attempt.name == pool.name), 0),
        )

    def _request(self, job_name: str, choice: int) -> dict[str, Any] | None:
        try:
            return self.jobs.request(job_name, choice)
        except (UnreadableBody, BodyUnavailable):
            return None


def _fits(job: Job, pool: WarmPool, snapshot: Snapshot) -> bool:
    options = (option for option in job.each_choice if pool.pool_key and option.spec.pool_key == pool.pool_key)
    return any(snapshot.pool_rules.keep_alive(option) > 0 for option in options)
