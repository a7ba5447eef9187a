"""Defines the training jobs that were started outside the queue, and findings about the rules that they break."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.errors.refusals import Violation

#: The time between two checks of a watched job: the period of its metrics, and of an idle queue's sweeps.
WATCH_INTERVAL = timedelta(minutes=5)


class GuardMode(StrEnum):
    """Selects the queue's response to unmanaged jobs that break a rule."""

    OFF = "off"  # it does not check them
    WARN = "warn"  # it records a finding and sends a notice
    STOP = "stop"  # it also stops jobs that break an enforced rule, leave their GPUs idle, hang or have NaN losses


@dataclass(frozen=True, slots=True)
class UnmanagedJob:
    """Records a training job that an event or the list reported.

    It may turn out to be the queue's own, or to have ended.
    """

    name: str
    seen_at: datetime
    tried_at: datetime | None = None  # the last check that could not decide


@dataclass(frozen=True, slots=True)
class WatchedJob:
    """Records an unmanaged training job that has passed its check against the rules and is watched until it ends."""

    name: str
    created_at: datetime  # as SageMaker reports
    demand: Demand  # none if the record could not be read
    owner: str = ""  # according to its tags
    is_exempt: bool = False  # its tag or remote debugging exempts it for a time, like one of the queue's own jobs
    is_child: bool = False  # its parent job would start another training job in its place
    checked_at: datetime | None = None
    idle_warned_at: datetime | None = None  # cleared when its GPUs are used again
    underused_warned_at: datetime | None = None  # cleared when its average is high enough
    nan_warned_at: datetime | None = None  # cleared by a loss that is not NaN

    def is_due(self, now: datetime) -> bool:
        return self.checked_at is None or now - self.checked_at >= WATCH_INTERVAL

    def attempt(self, observation: Observation) -> Attempt:
        """Returns the attempt of an equivalent queued job."""
        demand = self.demand if observation.selected == NOTHING else observation.selected
        return Attempt(self.name, self.name, 1, demand, self.created_at, created=True, observation=observation)


class FindingKind(StrEnum):
    """Lists the kinds of findings about unmanaged jobs."""

    RULES = "rules"
    IDLE = "idle"
    UNDERUSED = "underused"
    HANG = "hang"
    NAN_LOSS = "nan_loss"
    AUTOML = "automl"  # the name is that of an AutoML job


@dataclass(frozen=True, slots=True)
class Finding:
    """Records a job outside the queue that violates rules or the settings of a watch: a training job or AutoML job."""

    name: str
    created_at: datetime  # as SageMaker reports
    stopped: bool
    violations: tuple[Violation, ...]  # violations of all rules that are not off
    kind: FindingKind = FindingKind.RULES
