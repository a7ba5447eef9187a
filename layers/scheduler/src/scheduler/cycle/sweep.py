"""Finds changes that no event reports, such as finished attempts and pools, jobs that fit again, and due timers."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from scheduler.core.jobs import user_actions
from scheduler.core.jobs.demand import total
from scheduler.core.jobs.job_state import QUEUE
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.listed_job import ListedJob
from scheduler.core.reconciliation.polling import (
    due_in_sweep,
    for_list_polling,
    select_for_sweep,
    swept_through,
)
from scheduler.core.reconciliation.unmanaged_job import GuardMode
from scheduler.core.warm_pools.warm_pool import pools_to_poll
from scheduler.cycle.attempts.attempts import Attempts
from scheduler.cycle.job_times import Timers
from scheduler.cycle.live_jobs import LiveJobs
from scheduler.cycle.services import CycleServices
from scheduler.cycle.steps import Steps
from scheduler.cycle.warm_pools import WarmPools
from scheduler.ports.job_store import SCHEDULE
from scheduler.ports.training import TrainingService

logger = logging.getLogger(__name__)

#: How many jobs that exceed the budget one sweep checks. The next sweep continues.
MAX_PARKED_PER_SWEEP = 100
#: A reservation is written before its training job is created, and the clock may be a little ahead of SageMaker's.
_SKEW = timedelta(minutes=1)
#: How far an event's time may differ from the time in SageMaker's list, because events round their times.
_ROUNDING = timedelta(seconds=1)
#: Pages of SageMaker's list that one sweep reads. Attempts further back in the list are polled one by one.
_PAGES = 2


@dataclass(frozen=True, slots=True)
class Sweep:
    services: CycleServices
    lease: Lease
    live_jobs: LiveJobs
    attempts: Attempts
    warm_pools: WarmPools
    steps: Steps

    def run(self) -> datetime:
        """Runs the sweep. Returns the time up to which all due attempts have been polled.

        The next sweep polls the attempts that this sweep missed.
        """
        self._correct_ledger()
        swept_until = self._poll_attempts()
        for pool in self.steps.in_time(pools_to_poll(self.services.stores.pools.pools(), self.lease.fence)):
            with self.steps.isolate("poll", pool.job_name):
                self.warm_pools.poll(pool)
        Timers(self.services, self.live_jobs, self.steps).run()
        return swept_until

    def idle_until(self, list_due_at: datetime | None) -> datetime | None:
        """Returns the time until which sweeps have nothing to do after this one; None if the next sweep has work.

        Sweeps have work while a job is unfinished or may be, while instances are held, or while an unmanaged job waits
        for its check. The idle time ends when SageMaker's list is due to be read, which also reveals lost events.
        """
        stores = self.services.stores
        if self.lease.may_miss_jobs(self.services.clock.now()):
            return None
        if self.live_jobs.live() or stores.pools.pools() or next(stores.index.waiting(), None) is not None:
            return None
        return None if self._has_unmanaged_jobs_to_check() else list_due_at

    def _has_unmanaged_jobs_to_check(self) -> bool:
        """Returns whether an unmanaged job waits for its check, or is watched and due: a sweep checks only a few."""
        if self.services.guard is GuardMode.OFF:
            return False
        now, watched = self.services.clock.now(), self.services.watched_jobs.watched()
        return bool(self.services.unmanaged_jobs.unchecked()) or any(job.is_due(now) for job in watched)

    def _correct_ledger(self) -> None:
        attempts = [live_job.attempt for live_job in self.live_jobs.live()]
        pools = self.services.stores.pools.pools()
        if not all([*(attempt.is_readable for attempt in attempts), *(pool.is_readable for pool in pools)]):
            return  # only the ledger knows the demand of unreadable records
        held = total([*(attempt.demand for attempt in attempts), *(pool.demand for pool in pools)])
        if self.services.stores.state.correct_ledger(held, self.lease):
            logger.error("recount", extra={"cause": "the ledger disagreed with the live attempts and was corrected"})

    def _poll_attempts(self) -> datetime:
        """Polls the attempts that no event has reported. Reads SageMaker's list first, because one call covers many.

        Returns the time up to which all due attempts have been polled.
        """
        now = self.services.clock.now()
        live = [live_job for live_job in self.live_jobs.live() if live_job.is_readable]
        due = due_in_sweep(live, self.lease.swept_until, now)
        done = set[str]()
        if listed := for_list_polling(due, now):
            with self.steps.isolate("list", ""):
                self.steps.require_time()
                for name in running_in_list(self.services.training, listed):
                    done.add(name)  # at once, so that names from the first page count even if the second call fails
        unlisted = [live_job for live_job in due if live_job.attempt.name not in done]
        for live_job in self.steps.in_time(select_for_sweep(unlisted, now, self.lease.fence)):
            with self.steps.isolate("poll", live_job.job):
                self.attempts.poll(live_job)
                done.add(live_job.attempt.name)
        return swept_through([live_job for live_job in due if live_job.attempt.name not in done], now)

    def unpark(self, token: str | None) -> str | None:
        """Returns parked jobs to the queue if they fit the budget again, after an operator's change or a deployment.

        Checks the next jobs, and returns the token with which the next sweep continues.
        """
        page = self.services.stores.index.parked_for(ReasonCode.EXCEEDS_BUDGET, token, MAX_PARKED_PER_SWEEP)
        for job in self.steps.in_time(self.services.snapshot_reader.runnable(page.jobs) if page.jobs else ()):
            with self.steps.isolate("unpark", job):
                unparked = user_actions.unpark(job, QUEUE, self.services.clock.now())
                self.services.stores.jobs.save(unparked, by=SCHEDULE)
                logger.info("unpark", extra={"job": job.name})
        return token if self.steps.is_out_of_time() else page.next_token


def running_in_list(training: TrainingService, attempts: Sequence[LiveJob]) -> Iterator[str]:
    """Yields the names of the attempts that SageMaker lists as running and unchanged. Raises List's errors."""
    missing = {live_job.attempt.name: live_job for live_job in attempts}
    since, token = min(live_job.attempt.reserved_at for live_job in attempts) - _SKEW, None
    for _ in range(_PAGES):
        page = training.list_newest(None, token)
        for listed in page.jobs:
            if (live_job := missing.pop(listed.name, None)) and _runs_unchanged(listed, live_job):
                yield listed.name
        token = page.next_token
        if token is None or not missing or any(listed.created_at < since for listed in page.jobs):
            break


def _runs_unchanged(listed: ListedJob, live_job: LiveJob) -> bool:
    """Returns whether the listed attempt is running and has not changed since its last observation.

    An older entry means that the list lags, and a newer entry means that an event was lost. Both need a Describe call.
    """
    known = live_job.attempt.observation
    if listed.status != "InProgress" or known is None:
        return False
    return abs(listed.modified_at - known.modified_at) <= _ROUNDING
