"""Defines the metrics: gauges of the current queue, the head of the queue, and counts over recorded changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scheduler.core.history.change import WRITTEN_BY_POOLS, Change, ChangeKind, change_kinds_in, lost_work
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode


class MetricsLevel(StrEnum):
    OFF = "off"
    FEW = "few"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Gauges:
    queued_jobs: int
    oldest_wait: float  # seconds
    used: Demand
    free: Demand  # for each type in the budget, even if the count is 0


@dataclass(frozen=True, slots=True)
class QueueHead:
    """The first waiting job, stored so that its changes can be reported. If no job waits, all fields are empty."""

    job: str = ""
    reason: ReasonCode | None = None
    message: str = ""  # the reason's message when this job and reason became the head
    priority: int = 0
    demand: Demand = NOTHING
    owner: str = ""
    team: str = ""  # the team that its user chose; empty: the owner's
    waits_since: datetime | None = None

    def differs_from(self, reported: "QueueHead | None") -> bool:
        """Returns whether the job or its reason differs from the last report.

        None means that the last report is unknown.
        """
        return reported is None or (self.job, self.reason) != (reported.job, reported.reason)


@dataclass(frozen=True, slots=True)
class FlowMetrics:
    launch_waits: tuple[float, ...] = ()  # seconds, one for each launch
    preemptions: int = 0  # finished ones only
    lost_instance_seconds: float = 0.0  # the most training that preemptions may have lost


def flow_of(changes: Sequence[Change]) -> FlowMetrics:
    """Counts launches, finished preemptions, and the work that the preemptions lost."""
    preempted = [change for change in changes if ChangeKind.PREEMPTION_FINISHED in change_kinds_in(change)]
    # A user's action or the end of a pool may also change a job that is launching. Such a change is not a launch.
    by_queue = [change for change in changes if not change.done and change.written_by != WRITTEN_BY_POOLS]
    waits = tuple(_launch_wait(change) for change in by_queue if change.state is JobState.LAUNCHING)
    lost = sum(_lost_instance_seconds(change) for change in preempted)
    return FlowMetrics(waits, len(preempted), lost)


def _launch_wait(change: Change) -> float:
    return max(0.0, (change.changed_at - change.waits_since).total_seconds())


def _lost_instance_seconds(change: Change) -> float:
    """Returns the most work that may be lost, as reports show it: the last checkpoint may be a whole interval old."""
    lost = lost_work(change)
    return lost.at_most * sum(count for _, count in change.run.demand.counts) if lost and change.run else 0.0
