"""Groups the services that all parts of a cycle share: ports, and the state that outlives a cycle."""

from dataclasses import dataclass

from scheduler.admission.admission import Admission
from scheduler.admission.launch_check import LaunchCheck, ReadRequests
from scheduler.core.configuration.configuration import Configuration
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.reconciliation.unmanaged_job import GuardMode
from scheduler.cycle.live_jobs import LiveJobCache
from scheduler.observe.configuration import ConfigurationReader
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.ports.clock import Clock
from scheduler.ports.job_store import JobStores, LeaseStore, UnmanagedJobStore, WatchedJobStore
from scheduler.ports.monitoring import UseMetrics
from scheduler.ports.notifications import Notifier
from scheduler.ports.stop_objects import StopObjects
from scheduler.ports.training import (
    JobService,
    ListedWorkService,
    RateLimitedTrainingService,
    TrainingLogs,
    WorkService,
)


@dataclass(frozen=True, slots=True)
class CycleServices:
    snapshot_reader: SnapshotReader
    stores: JobStores
    leases: LeaseStore
    training: RateLimitedTrainingService
    tuning: WorkService
    processing: ListedWorkService
    automl: JobService
    clock: Clock
    name_mark: str
    admission: Admission
    notifier: Notifier
    logs: TrainingLogs
    metrics: UseMetrics
    live_job_cache: LiveJobCache
    guard: GuardMode
    unmanaged_jobs: UnmanagedJobStore
    watched_jobs: WatchedJobStore
    stop_objects: StopObjects

    @property
    def configuration(self) -> ConfigurationReader:
        return self.snapshot_reader.configuration

    def service_of(self, kind: WorkKind) -> WorkService:
        """Returns the SageMaker service that runs attempts of this kind."""
        match kind:
            case WorkKind.TRAINING:
                return self.training
            case WorkKind.TUNING:
                return self.tuning
            case WorkKind.PROCESSING:
                return self.processing

    def listed(self, kind: WorkKind) -> ListedWorkService:
        """Returns the service that lists jobs of this kind. Trials are listed with the training jobs."""
        return self.processing if kind is WorkKind.PROCESSING else self.training

    def launch_check(self, configuration: Configuration, read_requests: ReadRequests | None = None) -> LaunchCheck:
        return LaunchCheck(configuration, self.admission, read_requests or self.stores.jobs.requests_of, self.clock)
