"""Shows warm pools to users: instances, origin, cost, and the waiting jobs that would start on them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from scheduler.core.capacity.capacity_memory import RefusedPool
from scheduler.core.jobs.job import Job
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.requests.redaction import is_shown_to_strangers
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.warm_pools.matching import differing_fields, matching_fields
from scheduler.core.warm_pools.pool_rules import PoolUse
from scheduler.core.warm_pools.warm_pool import WarmPool
from scheduler.errors.internal import BodyUnavailable, UnknownJob
from scheduler.errors.unreadable import UnreadableBody
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore, SchedulerState, WarmPoolStore

#: Stands for all differing fields that the caller is not allowed to see.
_HIDDEN = "hidden fields"


@dataclass(frozen=True, slots=True)
class WarmPoolStatus:
    """A warm pool. `cost` is its cost so far in US dollars, or None if no price of its type is known."""

    pool: WarmPool
    cost: Decimal | None
    fits: tuple[str, ...]  # the names of waiting jobs
    owner: str  # the owner of the job that left the pool; empty if the job is unknown
    match: Mapping[str, object]  # the values that a job's request must have; empty if they cannot be read now


@dataclass(frozen=True, slots=True)
class Misfit:
    """A pool with the job's instance type, and the fields in which the job differs from it."""

    pool: WarmPool
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WarmPoolReader:
    snapshot_reader: SnapshotReader
    jobs: JobStore
    pools: WarmPoolStore
    state: SchedulerState
    clock: Clock

    def now(self) -> tuple[WarmPoolStatus, ...]:
        snapshot, prices = self.snapshot_reader.observe(), self.snapshot_reader.configuration.prices()
        return tuple(self._status_of(pool, snapshot, prices) for pool in snapshot.pools if pool.is_readable)

    def refused(self) -> tuple[RefusedPool, ...]:
        """Returns the instance types whose jobs leave no pool, although the pool rules request one."""
        kept = {kind for kind, rule in self.snapshot_reader.pool_rules().by_type.items() if rule.use is not PoolUse.OFF}
        return tuple(
            refused_pool for refused_pool in self.state.capacity().refused_pools if refused_pool.instance_type in kept
        )

    def misfits(self, job: Job, is_controlled: Callable[[str], bool]) -> tuple[Misfit, ...]:
        """Returns the pools with the job's instance type on which the job cannot start; none for a finished job.

        Hidden fields are named only to callers who control both the job and the pool. Otherwise, callers could guess
        the fields one by one. `is_controlled` returns whether the caller controls an owner's jobs.
        """
        if job.is_finished or not job.is_readable:
            return ()
        controls_job, misfits = is_controlled(job.owner), []
        for pool in self.pools.pools():
            if pool.job_name != job.name:
                names_all = controls_job and is_controlled(self._owner_of(pool))
                misfits.append(Misfit(pool, self._differing(job, pool, names_all=names_all)))
        return tuple(misfit for misfit in misfits if misfit.fields)

    def _differing(self, job: Job, pool: WarmPool, *, names_all: bool) -> tuple[str, ...]:
        """Returns the fields in which the closest choice differs from the pool.

        Returns none if one choice matches the pool, or if no choice has the pool's instance type.
        """
        options = job.each_choice if job.is_queued else (job,)
        choices = [option.spec.choice for option in options if option.spec.demand.shares_a_type_with(pool.demand)]
        left_by = self._request_of_pool(pool) if choices else None
        if not left_by:
            return ()
        requests = [request for choice in choices if (request := self._request(job.name, choice))]
        fields = [differing_fields(request, left_by) for request in requests]
        return min(fields if names_all else map(_with_hidden_as_one, fields), key=len, default=())

    def _status_of(self, pool: WarmPool, snapshot: Snapshot, prices: PriceList) -> WarmPoolStatus:
        request = self._request_of_pool(pool)
        return WarmPoolStatus(
            pool=pool,
            cost=self._cost(pool, prices),
            fits=tuple(job.name for job in snapshot.queued if _fits(job, pool, snapshot)),
            owner=self._owner_of(pool),
            match=matching_fields(request) if request else {},
        )

    def _cost(self, pool: WarmPool, prices: PriceList) -> Decimal | None:
        seconds = (self.clock.now() - pool.ended_at).total_seconds() if pool.ended_at else 0.0
        return prices.cost(pool.instances, max(0.0, seconds))  # the difference may be negative, since clocks may differ

    def _owner_of(self, pool: WarmPool) -> str:
        try:
            return self.jobs.get(pool.job_name).owner
        except UnknownJob:
            return ""

    def _request_of_pool(self, pool: WarmPool) -> dict[str, Any] | None:
        """Returns the request of the attempt that left the pool."""
        try:
            history = self.jobs.with_all_attempts(self.jobs.get(pool.job_name)).status.history
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


def _with_hidden_as_one(paths: tuple[str, ...]) -> tuple[str, ...]:
    shown = tuple(filter(is_shown_to_strangers, paths))
    return shown if shown == paths else (*shown, _HIDDEN)


def _fits(job: Job, pool: WarmPool, snapshot: Snapshot) -> bool:
    options = (option for option in job.each_choice if pool.pool_key and option.spec.pool_key == pool.pool_key)
    return any(snapshot.pool_rules.keep_alive(option) > 0 for option in options)
