"""What the store in memory holds, and the conditions of its writes."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from scheduler.domain.attempt import Attempt
from scheduler.domain.capacity import CapacityMemory
from scheduler.domain.census import Census
from scheduler.domain.controls import Controls
from scheduler.domain.demand import Demand, total
from scheduler.domain.job import Job
from scheduler.domain.lease import Lease
from scheduler.domain.pace import Pace
from scheduler.domain.past import Past
from scheduler.domain.spent import Spent, SpentKey
from scheduler.errors import LeaseLost, StaleJob
from scheduler.ports.job_store import WAKING


@dataclass
class MemoryRecords:
    """Everything that is kept; the classes that build on it are the store's ports."""

    jobs: dict[str, Job] = field(default_factory=dict)
    requests: dict[str, str] = field(default_factory=dict)
    attempts: dict[str, Attempt] = field(default_factory=dict)
    kept: dict[str, Attempt] = field(default_factory=dict)  # the pools
    past: Past = field(default_factory=Past)
    tokens: dict[tuple[str, str], str] = field(default_factory=dict)  # names of jobs by owner and client's token
    controls: Controls = field(default_factory=Controls)
    fence: int = 0
    knocks: int = 0
    lease_expires_at: datetime | None = None
    pace: Pace = field(default_factory=dict)
    swept_until: datetime | None = None
    counted: Census = field(default_factory=Census)
    remembered: CapacityMemory = field(default_factory=CapacityMemory)
    counted_spent: dict[SpentKey, Spent] = field(default_factory=dict)
    wake_ups: int = 0  # how many changes the table's stream would have passed on to the scheduler

    def _held(self) -> Demand:
        return total(attempt.demand for attempt in (*self.attempts.values(), *self.kept.values()))

    def _queued(self) -> Iterator[Job]:
        return (job for job in self.jobs.values() if job.is_queued)

    def _check_version(self, job: Job) -> None:
        stored = self.jobs.get(job.name)
        if stored is None or stored.version != job.version:
            raise StaleJob(job.name)

    def _check_fence(self, lease: Lease) -> None:
        if lease.fence != self.fence:
            raise LeaseLost(f"fence {lease.fence}")

    def _write(self, job: Job) -> Job:
        written = replace(job, version=job.version + 1)
        self.jobs[job.name] = written
        return written

    def _wake(self, by: str) -> None:
        self.wake_ups += by in WAKING
