"""Launches and ends attempts in a store, for tests of the stores."""

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.lease import Lease
from scheduler.ports.job_store import JobStores
from support.builders.jobs import GPU, a_job, an_attempt, changed_job, launching

TWO = Budget.parse(f"{GPU}=2")


def submitted(
    stores: JobStores, name: str = "resnet", count: int = 1, kind: str = GPU, demand: Demand | None = None
) -> Job:
    job = a_job(name, demand=demand or Demand.of({kind: count}))
    stores.jobs.submit(job, {})
    return stores.jobs.get(name)


def launch(stores: JobStores, job: Job, lease: Lease, budget: Budget = TWO) -> LiveJob:
    attempt = an_attempt(job, job.status.attempts + 1)
    return LiveJob(stores.reservations.launch(launching(job), attempt, budget, lease), attempt)


def finish(stores: JobStores, live: LiveJob, lease: Lease) -> Job:
    return stores.reservations.settle(changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease)


def leave_pool(stores: JobStores, live: LiveJob, lease: Lease) -> Job:
    return stores.reservations.settle(
        changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease, left_pool=True
    )


def known_attempt(stores: JobStores, name: str) -> Attempt:
    attempt = stores.live_attempts.attempt(name)
    assert attempt is not None
    return attempt


def assert_untouched(stores: JobStores, job: Job) -> None:
    assert stores.jobs.get(job.name) == job
    assert job.name not in {live.job.name for live in stores.live_attempts.live()}
