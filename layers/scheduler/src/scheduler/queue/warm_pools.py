"""Warm pools as people see them: what is kept, by whom it was left, what it costs, and which job would take it over."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from attrs import frozen

from scheduler.core.capacity.capacity_memory import RefusedPool
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.warm_pools.matching import compared, differing_fields
from scheduler.core.warm_pools.pool_rules import PoolUse
from scheduler.errors.internal import BodyUnavailable, UnknownJob
from scheduler.errors.refusals import UnreadableBody
from scheduler.observe.prices import Prices
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore


@frozen
class WarmPoolStatus:
    """`cost` is in US dollars up to now; None if its type has no known price."""

    attempt: Attempt
    demand: Demand
    cost: Decimal | None
    fits: tuple[str, ...]  # names of jobs that wait
    match: Mapping[str, object]  # what a job must be like; nothing if that cannot be read now


@frozen
class Misfit:
    """A pool of a job's own type, and the fields that keep the job from it."""

    pool: Attempt
    fields: tuple[str, ...]


@frozen
class WarmPoolReader:
    snapshot_reader: SnapshotReader
    store: JobStore
    clock: Clock
    prices: Prices

    def now(self) -> tuple[WarmPoolStatus, ...]:
        snapshot, prices = self.snapshot_reader.observe(), self.prices.now()
        return tuple(self._seen(pool, snapshot, prices) for pool in snapshot.pools if pool.is_readable)

    def refused(self) -> tuple[RefusedPool, ...]:
        """Types whose jobs are to leave pools by the rules, and leave none."""
        kept = {kind for kind, rule in self.snapshot_reader.pool_rules().by_type.items() if rule.use is not PoolUse.OFF}
        return tuple(known for known in self.store.capacity().refused_pools if known.instance_type in kept)

    def misfits(self, job: Job) -> tuple[Misfit, ...]:
        """Of a job that has not ended: the pools that it does not start on. Others took some, or came too late."""
        if job.is_finished or not job.is_readable:
            return ()
        misfits = [Misfit(pool, self._differing(job, pool)) for pool in self.store.pools() if pool.job_name != job.name]
        return tuple(misfit for misfit in misfits if misfit.fields)

    def _differing(self, job: Job, pool: Attempt) -> tuple[str, ...]:
        """Of the choice that comes closest; nothing where one fits, or none has the pool's type."""
        options = job.each_choice if job.is_queued else (job,)
        choices = [option.choice for option in options if option.demand.shares_a_type_with(pool.demand)]
        left_by = self._request_behind(pool) if choices else None
        requests = [request for choice in choices if (request := self._request(job.name, choice))]
        return min((differing_fields(request, left_by) for request in requests), key=len, default=()) if left_by else ()

    def _seen(self, pool: Attempt, snapshot: Snapshot, prices: PriceList) -> WarmPoolStatus:
        demand = pool.lent if pool.lent_to else pool.demand
        request = self._request_behind(pool)
        return WarmPoolStatus(
            attempt=pool,
            demand=demand,
            cost=self._cost(pool, demand, prices),
            fits=tuple(job.name for job in snapshot.queued if _fits(job, pool, snapshot)),
            match=compared(request) if request else {},
        )

    def _cost(self, pool: Attempt, demand: Demand, prices: PriceList) -> Decimal | None:
        since = pool.observation.ended_at if pool.observation else None
        seconds = (self.clock.now() - since).total_seconds() if since else 0.0
        return prices.cost(demand, max(0.0, seconds))  # clocks may differ

    def _request_behind(self, pool: Attempt) -> dict[str, Any] | None:
        """The one that left the pool, of all that its job may take."""
        try:
            history = self.store.get(pool.job_name).history
        except UnknownJob:
            return None
        return self._request(
            pool.job_name,
            next((ended_attempt.choice for ended_attempt in history if ended_attempt.name == pool.name), 0),
        )

    def _request(self, job_name: str, choice: int) -> dict[str, Any] | None:
        try:
            return self.store.request(job_name, choice)
        except (UnreadableBody, BodyUnavailable):
            return None


def _fits(job: Job, pool: Attempt, snapshot: Snapshot) -> bool:
    options = (option for option in job.each_choice if pool.pool_key and option.pool_key == pool.pool_key)
    return any(snapshot.pool_rules.keep_alive(option) > 0 for option in options)
