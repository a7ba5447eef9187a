"""The services that all parts of a cycle share: ports, and the state that outlives a cycle."""

from dataclasses import dataclass

from scheduler.admission.admission import Admission, LaunchCheck
from scheduler.core.reconciliation.unmanaged_job import GuardMode
from scheduler.cycle.live_jobs import LiveJobCache
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.observe.spending import SpendingReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStores, LeaseStore, UnmanagedJobStore
from scheduler.ports.notifications import Notifier
from scheduler.ports.training import RateLimitedTrainingService, TrainingLogs


@dataclass(frozen=True, slots=True)
class CycleServices:
    snapshot_reader: SnapshotReader
    stores: JobStores
    leases: LeaseStore
    training: RateLimitedTrainingService
    clock: Clock
    name_mark: str
    admission: Admission
    notifier: Notifier
    logs: TrainingLogs
    live_job_cache: LiveJobCache
    spending: SpendingReader
    guard: GuardMode
    unmanaged_jobs: UnmanagedJobStore

    def launch_check(self) -> LaunchCheck:
        return LaunchCheck(self.admission, self.stores.jobs, self.clock)
