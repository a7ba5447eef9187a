"""Executes a plan: launches, pool releases, preemptions, evictions and parks, in this order.

The table is written before SageMaker is called, so the next cycle completes any step that was interrupted in between.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from scheduler.admission.admission import Admission
from scheduler.admission.launch_check import LaunchCheck, LaunchRefused
from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Attempt, attempt_name
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.plan import Evict, Launch, Park, Plan, Preempt, Release
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.warm_pools.lending import lend
from scheduler.core.warm_pools.offers import instances_started_at
from scheduler.cycle.attempts import Attempts
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.steps import Steps
from scheduler.cycle.warm_pools import WarmPools
from scheduler.errors.internal import BodyUnavailable, PoolNotReleased
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStore, Reservations
from scheduler.ports.training import TrainingRequest

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PlanExecutor:
    """Executes the plans of one cycle. Jobs that it could not start are not planned again in this cycle."""

    jobs: JobStore
    reservations: Reservations
    clock: Clock
    name_mark: str
    admission: Admission
    lease: Lease
    live_jobs: LiveJobs
    attempts: Attempts
    warm_pools: WarmPools
    steps: Steps
    #: Names of jobs that SageMaker has no capacity for, or whose request cannot be fetched: not retried in this cycle.
    skipped_jobs: set[str] = field(default_factory=set, init=False)
    #: Choices of jobs that break a rule, as job name and number.
    closed_choices: set[tuple[str, int]] = field(default_factory=set, init=False)

    def execute(self, decided: Plan, budget: Budget) -> bool:
        """Executes the plan, made with this budget. Returns whether anything was done."""
        admission = LaunchCheck(self.admission, self.jobs, self.clock)
        done = [self.steps.take(self._launch, launch, admission, budget) for launch in decided.launches]
        done += [self.steps.take(self._release, release) for release in decided.releases]
        for _, preemptions in groupby(decided.preemptions, lambda entry: entry.beneficiary.name):
            done.append(self.steps.take(self._preempt_for_beneficiary, [*preemptions], admission))
        done += [self.steps.take(self._evict, eviction) for eviction in decided.evictions]
        done += [self.steps.take(self._park, park) for park in decided.parks]
        return any(done)

    def _launch(self, entry: Launch, admission: LaunchCheck, budget: Budget) -> None:
        now = self.clock.now()
        request = self._request(entry.job, admission)
        if request is None:
            return
        job = transitions.launch(entry.job, entry.reason, now)
        name = attempt_name(job.name, self.name_mark, job.attempts)
        attempt = Attempt(
            name=name,
            job_name=job.name,
            number=job.attempts,
            demand=job.demand,
            reserved_at=now,
            subnet=entry.subnet,
            keep_alive=entry.keep_alive,
            pool_key=job.pool_key,
            on_pool=entry.pool.name if entry.pool else "",
            chain_since=instances_started_at(entry.pool) if entry.pool else None,
        )
        launched = LiveJob(self.reservations.launch(job, attempt, budget, self.lease, entry.pool), attempt)
        self.live_jobs.replace(launched)
        logger.info("launch", extra={"job": job.name, "attempt": name, "reason": entry.reason.code.value})
        if self.steps.take(self._create, launched, request) and entry.pool:
            self.steps.take(self.warm_pools.poll, lend(entry.pool, name))

    def _create(self, live: LiveJob, request: TrainingRequest) -> None:
        job = self.attempts.create(live, request)
        if job.is_queued and job.reason.code is not ReasonCode.NAME_CLASH:  # the next name may be free
            self.skipped_jobs.add(job.name)

    def _request(self, job: Job, admission: LaunchCheck) -> TrainingRequest | None:
        """Returns the request to start the job with. Raises DocumentUnreadable.

        None if the job is parked instead, may take another choice, or is skipped in this cycle.
        """
        try:
            return admission.request(job)
        except LaunchRefused as error:
            self.closed_choices.add((job.name, job.choice))
            if all((job.name, other.choice) in self.closed_choices for other in job.each_choice):
                self._park(Park(job, error.reason))
        except BodyUnavailable as error:
            self.skipped_jobs.add(job.name)
            logger.info("postponed", extra={"step": "_request", "cause": type(error).__name__})
        return None

    def _release(self, entry: Release) -> None:
        self.warm_pools.release(entry.pool)
        if not self.steps.take(self.warm_pools.poll, entry.pool):
            raise PoolNotReleased(entry.pool.name)  # a later cycle polls it again

    def _preempt_for_beneficiary(self, preemptions: Sequence[Preempt], admission: LaunchCheck) -> None:
        """Preempts all victims of one beneficiary. If a victim has changed meanwhile, the next pass plans again."""
        if self._request(preemptions[0].beneficiary, admission) is not None:
            for entry in preemptions:
                self._preempt(entry)

    def _preempt(self, entry: Preempt) -> None:
        victim, beneficiary = entry.victim, entry.beneficiary
        job = transitions.preempt_for(victim.job, beneficiary, entry.reason, self.clock.now())
        stopping = self.live_jobs.update(job, victim.attempt)
        logger.info("preempt", extra={"job": job.name, "beneficiary": beneficiary.name})
        self.steps.take(self.attempts.stop, stopping)

    def _evict(self, entry: Evict) -> None:
        evicted = transitions.evict(entry.victim.job, entry.reason, self.clock.now())
        stopping = self.live_jobs.update(evicted, entry.victim.attempt)
        logger.info("evict", extra={"job": evicted.name, "reason": entry.reason.code.value})
        self.steps.take(self.attempts.stop, stopping)

    def _park(self, entry: Park) -> None:
        job = self.jobs.save(transitions.park(entry.job, entry.reason, self.clock.now()), by="schedule")
        logger.warning("park", extra={"job": job.name, "reason": entry.reason.code.value})
        self.attempts.notify_owner(job)
