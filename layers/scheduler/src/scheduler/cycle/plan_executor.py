"""Executes a plan: launches, pool releases, preemptions, evictions and parks, in this order.

The table is written before SageMaker is called, so the next cycle completes any step that was interrupted in between.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

from scheduler.admission.admission import LaunchCheck, LaunchRefused
from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Attempt, attempt_name
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.plan import Evict, Launch, Park, Preempt
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.warm_pools.warm_pool import WarmPool, lend
from scheduler.cycle.attempts import Attempts
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.cycle.warm_pools import WarmPools
from scheduler.errors.internal import BodyUnavailable
from scheduler.ports.training import TrainingRequest

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class PlanExecutor:
    """Executes the plans of one cycle. Jobs that it could not start are not planned again in this cycle."""

    services: CycleServices
    lease: Lease
    live_jobs: LiveJobs
    attempts: Attempts
    warm_pools: WarmPools
    steps: Steps
    #: Names of jobs that SageMaker has no capacity for, or whose request cannot be fetched: not retried in this cycle.
    skipped_jobs: set[str] = field(default_factory=set, init=False)
    #: Choices of jobs that break a rule, as job name and number.
    closed_choices: set[tuple[str, int]] = field(default_factory=set, init=False)
    launch_check: LaunchCheck = field(init=False)  # another one for each plan

    def launch(self, launches: Iterable[Launch], snapshot: Snapshot) -> bool:
        """Reserves and creates. Returns whether anything was done, as the other steps do."""
        # The budget that the plan was made with.
        budget, has_changed = snapshot.budget.reduced_by(snapshot.held_by_unmanaged_jobs), False
        for entry in self.steps.in_time(launches):
            with self.steps.isolate("launch"):
                self._launch(entry, budget)
                has_changed = True
        return has_changed

    def release(self, pools: Iterable[WarmPool]) -> bool:
        """Asks SageMaker to end warm pools. A later cycle polls those that still hold their instances."""
        has_changed = False
        for pool in self.steps.in_time(pools):
            with self.steps.isolate("release"):
                self.warm_pools.release(pool)
                self.steps.require_time()
                self.warm_pools.poll(pool)
                has_changed = True
        return has_changed

    def preempt(self, preemptions: Iterable[Preempt]) -> bool:
        """Preempts all victims of a beneficiary. If a victim has changed meanwhile, the next pass plans again."""
        has_changed, by_beneficiary = False, groupby(preemptions, lambda entry: entry.beneficiary.name)
        for entries in self.steps.in_time([*entries] for _, entries in by_beneficiary):
            with self.steps.isolate("preempt"):
                if self._request(entries[0].beneficiary) is not None:
                    for entry in entries:
                        self._preempt(entry)
                has_changed = True
        return has_changed

    def evict(self, evictions: Iterable[Evict]) -> bool:
        has_changed = False
        for entry in self.steps.in_time(evictions):
            with self.steps.isolate("evict"):
                job = transitions.evict(entry.victim.job, entry.reason, self.services.clock.now())
                stopping = self.live_jobs.update(job, entry.victim.attempt)
                logger.info("evict", extra={"job": job.name, "reason": entry.reason.code.value})
                self._send_stop(stopping)
                has_changed = True
        return has_changed

    def park(self, parks: Iterable[Park]) -> bool:
        has_changed = False
        for entry in self.steps.in_time(parks):
            with self.steps.isolate("park"):
                self._park(entry)
                has_changed = True
        return has_changed

    def _launch(self, entry: Launch, budget: Budget) -> None:
        now = self.services.clock.now()
        request = self._request(entry.job)
        if request is None:
            return
        job = transitions.launch(entry.job, entry.reason, now)
        name = attempt_name(job.name, self.services.name_mark, job.status.attempts)
        attempt = Attempt(
            name=name,
            job_name=job.name,
            number=job.status.attempts,
            demand=job.spec.demand,
            reserved_at=now,
            subnet=entry.subnet,
            keep_alive=entry.keep_alive,
            pool_key=job.spec.pool_key,
            on_pool=entry.pool.name if entry.pool else "",
            chain_since=entry.pool.instances_since if entry.pool else None,
        )
        written = self.services.stores.reservations.launch(job, attempt, budget, self.lease, entry.pool)
        launched = LiveJob(written, attempt)
        self.live_jobs.replace(launched)
        logger.info("launch", extra={"job": job.name, "attempt": name, "reason": entry.reason.code.value})
        with self.steps.isolate("create"):
            self.steps.require_time()
            job = self.attempts.create(launched, request)
            if job.is_queued and job.status.reason.code is not ReasonCode.NAME_CLASH:  # the next name may be free
                self.skipped_jobs.add(job.name)
            if entry.pool:
                with self.steps.isolate("poll"):
                    self.steps.require_time()
                    self.warm_pools.poll(lend(entry.pool, name))

    def _request(self, job: Job) -> TrainingRequest | None:
        """Returns the request to start the job with. Raises DocumentUnreadable.

        None if the job is parked instead, may take another choice, or is skipped in this cycle.
        """
        try:
            return self.launch_check.request(job)
        except LaunchRefused as error:
            self.closed_choices.add((job.name, job.spec.choice))
            if all((job.name, other.spec.choice) in self.closed_choices for other in job.each_choice):
                self._park(Park(job, error.reason))
        except BodyUnavailable as error:
            self.skipped_jobs.add(job.name)
            logger.info("postponed", extra={"step": "request", "cause": type(error).__name__})
        return None

    def _preempt(self, entry: Preempt) -> None:
        victim, beneficiary = entry.victim, entry.beneficiary
        job = transitions.preempt_for(victim.job, beneficiary, entry.reason, self.services.clock.now())
        stopping = self.live_jobs.update(job, victim.attempt)
        logger.info("preempt", extra={"job": job.name, "beneficiary": beneficiary.name})
        self._send_stop(stopping)

    def _send_stop(self, stopping: LiveJob) -> None:
        with self.steps.isolate("stop"):
            self.steps.require_time()
            self.attempts.stop(stopping)

    def _park(self, entry: Park) -> None:
        parked = transitions.park(entry.job, entry.reason, self.services.clock.now())
        job = self.services.stores.jobs.save(parked, by="schedule")
        logger.warning("park", extra={"job": job.name, "reason": entry.reason.code.value})
        self.attempts.notify_owner(job)
