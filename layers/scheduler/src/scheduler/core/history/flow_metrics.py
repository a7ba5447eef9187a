"""What happened in some changes, for metrics: launches, preemptions, and what they lost."""

from collections.abc import Sequence

from scheduler.core.history.change import BY_POOLS, Change, ChangeKind, Run
from scheduler.core.history.change_kinds import change_kinds_in
from scheduler.core.history.metrics import Flow
from scheduler.core.jobs.job import JobState


def flow_in(changes: Sequence[Change]) -> Flow:
    gave_way = [change for change in changes if ChangeKind.PREEMPTION_FINISHED in change_kinds_in(change)]
    return Flow(
        tuple(_waited(change) for change in changes if _is_launch(change)),
        len(gave_way),
        sum(_lost(change, change.run) for change in gave_way if change.run),
    )


def _is_launch(change: Change) -> bool:
    """Not what people, or the end of a pool, change about a job while it is launched."""
    return change.state is JobState.LAUNCHING and not change.done and change.written_by != BY_POOLS


def _waited(change: Change) -> float:
    since = change.run.ended_at if change.run else change.submitted_at
    return max(0.0, (change.changed_at - since).total_seconds())


def _lost(change: Change, run: Run) -> float:
    """At most, as reports have it: a checkpoint may be as old as the interval between two."""
    if run.training_started_at is None:
        return 0.0
    trained = max(0.0, (run.ended_at - run.training_started_at).total_seconds())
    interval = change.checkpoint_interval if change.has_checkpoints else None
    unsaved = trained if interval is None else min(trained, interval)
    return unsaved * sum(count for _, count in run.demand.counts)
