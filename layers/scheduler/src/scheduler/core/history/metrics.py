"""Defines what metrics report: gauges of the queue now, its head, and counts over some changes."""

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
    free: Demand  # for each type of the budget, also if it is 0


@dataclass(frozen=True, slots=True)
class QueueHead:
    """The first waiting job, stored to report its changes. If no job waits, `job` and all other fields are empty."""

    job: str = ""
    reason: ReasonCode | None = None
    message: str = ""  # the reason's message when this job and reason became the head
    priority: int = 0
    demand: Demand = NOTHING
    owner: str = ""
    waits_since: datetime | None = None

    def differs_from(self, reported: "QueueHead | None") -> bool:
        """Returns whether the job or its reason differs. None: the last report is not known."""
        return reported is None or (self.job, self.reason) != (reported.job, reported.reason)


@dataclass(frozen=True, slots=True)
class FlowMetrics:
    launch_waits: tuple[float, ...] = ()  # seconds, one for each launch
    preemptions: int = 0  # that have finished
    lost_instance_seconds: float = 0.0  # of preempted training that may be in no checkpoint, or measured


def flow_of(changes: Sequence[Change]) -> FlowMetrics:
    """Counts launches, finished preemptions and the work that these lost."""
    preempted = [change for change in changes if ChangeKind.PREEMPTION_FINISHED in change_kinds_in(change)]
    # An action by a user, or the end of a pool, while a job launches is no launch.
    by_queue = [change for change in changes if not change.done and change.written_by != WRITTEN_BY_POOLS]
    waits = tuple(_launch_wait(change) for change in by_queue if change.state is JobState.LAUNCHING)
    lost = sum(_lost_instance_seconds(change) for change in preempted)
    return FlowMetrics(waits, len(preempted), lost)


def _launch_wait(change: Change) -> float:
    since = change.run.ended_at if change.run else change.submitted_at
    return max(0.0, (change.changed_at - since).total_seconds())


def _lost_instance_seconds(change: Change) -> float:
    """Returns the most that can be lost, as in reports: a checkpoint may be as old as the interval between two."""
    lost = lost_work(change)
    return lost.at_most * sum(count for _, count in change.run.demand.counts) if lost and change.run else 0.0
