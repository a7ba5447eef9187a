"""What the cycle and the handlers need from the outside world, in their own words."""

from scheduler.ports.alarms import Alarms, GpuMetrics
from scheduler.ports.change_store import ChangePage, ChangeStore
from scheduler.ports.clock import Clock
from scheduler.ports.foreign_store import ForeignStore
from scheduler.ports.job_index import NO_JOBS, JobIndex, Page, Waiting
from scheduler.ports.job_store import IDLE_ALARM, NOTHING_LEARNED, WAKING, JobStore
from scheduler.ports.lease_store import LeaseStore
from scheduler.ports.listeners import EventBus, EventKind, Notifier
from scheduler.ports.operators import ControlStore, DocumentStore
from scheduler.ports.training import PacedTrainingService, TrainingLogs, TrainingRequest, TrainingService
from scheduler.ports.watchers import HeadStore, Meter, WarningStore

__all__ = [
    "IDLE_ALARM",
    "NOTHING_LEARNED",
    "NO_JOBS",
    "WAKING",
    "Alarms",
    "ChangePage",
    "ChangeStore",
    "Clock",
    "ControlStore",
    "DocumentStore",
    "EventBus",
    "EventKind",
    "ForeignStore",
    "GpuMetrics",
    "HeadStore",
    "JobIndex",
    "JobStore",
    "LeaseStore",
    "Meter",
    "Notifier",
    "PacedTrainingService",
    "Page",
    "TrainingLogs",
    "TrainingRequest",
    "TrainingService",
    "Waiting",
    "WarningStore",
]
