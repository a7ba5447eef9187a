"""Executes a plan: launches jobs, releases warm pools, preempts, evicts, widens and parks, in this order.

Each launch and each stop is written to the table before SageMaker is called. If a crash comes in between, the next
cycle completes the step.
"""

import logging
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.plan import Evict, Grow, Launch, Park, Preempt
from scheduler.core.planner.plan_effects import evicted, grown, launched, parked, preempted
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.warm_pools.warm_pool import WarmPool, lend
from scheduler.cycle.attempts.attempts import Attempts
from scheduler.cycle.attempts.creation import Creation
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.cycle.warm_pools import WarmPools
from scheduler.ports.job_store import SCHEDULE
from scheduler.ports.training import TrainingRequest

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class PlanExecutor:
    """Executes the plans of one cycle."""

    services: CycleServices
    lease: Lease
    live_jobs: LiveJobs
    creation: Creation
    attempts: Attempts
    warm_pools: WarmPools
    steps: Steps
    #: Names of jobs for which SageMaker currently has no capacity. This cycle does not plan them again.
    skipped_jobs: set[str] = field(default_factory=set, init=False)
    _refused: set[Hashable] = field(default_factory=set, init=False)  # what those jobs asked for

    def launch(
        self, launches: Iterable[Launch], requests: Mapping[tuple[str, int], TrainingRequest], snapshot: Snapshot
    ) -> bool:
        """Reserves budget for each launch and creates its training job. Returns whether to plan again.

        Once SageMaker has refused a launch because its quota is full, this cycle skips the jobs that would be refused,
        too: each Create costs a second, and with a long backlog, no other job would start.
        """
        # Each reservation is checked against the budget that the plan was based on.
        budget, has_changed = snapshot.budget.reduced_by(snapshot.held_by_unmanaged_jobs), False
        for entry in self.steps.in_time(launches):
            with self.steps.isolate("launch", entry.job):
                if entry.pool is None and _asks_for(entry.job) in self._refused:
                    self.skipped_jobs.add(entry.job.name)
                else:
                    self._launch(entry, requests[entry.job.name, entry.job.spec.choice], budget)
                has_changed = True
        self.skipped_jobs |= {
            job.name for job in snapshot.queued if self._refused.issuperset(map(_asks_for, job.each_choice))
        }
        return has_changed

    def release(self, pools: Iterable[WarmPool]) -> bool:
        """Asks SageMaker to end warm pools. Later cycles poll pools that still hold their instances.

        Returns whether any pool has ended.
        """
        has_changed = False
        for pool in self.steps.in_time(pools):
            with self.steps.isolate("release", pool.job_name):
                self.warm_pools.release(pool)
                self.steps.require_time()
                self.warm_pools.poll(pool)
                has_changed = True
        return has_changed

    def preempt(self, preemptions: Iterable[Preempt]) -> bool:
        """Preempts the victims of each beneficiary. Returns whether all of any beneficiary's victims were preempted.

        If a victim has changed since the plan was made, its beneficiary's remaining victims are left for the next pass.
        """
        has_changed, by_beneficiary = False, groupby(preemptions, lambda entry: entry.beneficiary.name)
        for entries in self.steps.in_time([*entries] for _, entries in by_beneficiary):
            has_changed |= all(map(self._preempt, entries))
        return has_changed

    def _preempt(self, entry: Preempt) -> bool:
        with self.steps.isolate("preempt", entry.victim.job):
            stopped = preempted(entry, self.services.clock.now())
            self._stop(stopped, "preempt", beneficiary=entry.beneficiary.name)
            return True
        return False

    def evict(self, evictions: Iterable[Evict]) -> bool:
        """Evicts jobs, except those that this cycle skips after an error: the plan marks them as never preemptible."""
        has_changed = False
        kept = (entry for entry in evictions if entry.victim.job.name not in self.steps.set_aside)
        for entry in self.steps.in_time(kept):
            with self.steps.isolate("evict", entry.victim.job):
                self._stop(evicted(entry, self.services.clock.now()), "evict", reason=entry.reason.code.value)
                has_changed = True
        return has_changed

    def grow(self, growths: Iterable[Grow]) -> bool:
        has_changed = False
        for entry in self.steps.in_time(growths):
            with self.steps.isolate("grow", entry.live.job):
                if self._array_lets_it_restart(entry.live.job):
                    self._stop(grown(entry, self.services.clock.now()), "grow", wanted=str(entry.wider.spec.demand))
                    has_changed = True
        return has_changed

    def _array_lets_it_restart(self, job: Job) -> bool:
        """Returns whether the job's array would let it start again. Arrays are not part of the snapshot.

        An array whose record is unreadable or was deleted does not.
        """
        if not job.array:
            return True
        array = self.services.stores.dependencies.arrays_named([job.array]).get(job.array)
        return array is not None and not array.stops_waiting_children

    def park(self, parks: Iterable[Park]) -> bool:
        has_changed = False
        for entry in self.steps.in_time(parks):
            with self.steps.isolate("park", entry.job):
                self._park(entry)
                has_changed = True
        return has_changed

    def _launch(self, entry: Launch, request: TrainingRequest, budget: Budget) -> None:
        planned = launched(entry, self.services.name_mark, self.services.clock.now())
        attempt = planned.attempt
        job = self.services.stores.reservations.launch(planned.job, attempt, budget, self.lease, entry.pool)
        reserved = LiveJob(job, attempt)
        self.live_jobs.replace(reserved)
        logger.info("launch", extra={"job": job.name, "attempt": attempt.name, "reason": entry.reason.code.value})
        with self.steps.isolate("create", job):
            self.steps.require_time()
            job = self.creation.create(reserved, request)
            if job.is_queued and job.status.reason.code is not ReasonCode.NAME_CLASH:  # the next name may be free
                self.skipped_jobs.add(job.name)
                self._refused.add(_asks_for(job))
            if entry.pool:
                with self.steps.isolate("poll", entry.pool.job_name):
                    self.steps.require_time()
                    self.warm_pools.poll(lend(entry.pool, attempt.name))

    def _stop(self, stopped: LiveJob, action: str, **details: str) -> None:
        """Records the stop of the job's attempt, then gives notice to the program or sends the stop to SageMaker."""
        stopping = self.live_jobs.update(stopped.job, stopped.attempt)
        logger.info(action, extra={"job": stopping.job.name, **details})
        with self.steps.isolate("stop", stopping.job):
            self.steps.require_time()
            self.attempts.stop(stopping)

    def _park(self, entry: Park) -> None:
        self.services.stores.jobs.save(parked(entry, self.services.clock.now()), by=SCHEDULE)
        logger.warning("park", extra={"job": entry.job.name, "reason": entry.reason.code.value})


def _asks_for(job: Job) -> Hashable:
    """Returns what decides whether SageMaker's quotas have room for the job. There are quotas on time limits, too."""
    spec = job.spec
    return spec.kind, spec.demand, spec.has_preferences, spec.max_runtime, job.is_on_spot
