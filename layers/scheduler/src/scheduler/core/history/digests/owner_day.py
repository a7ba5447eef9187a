"""Collects what the history records about one owner's jobs in the period of a digest."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from scheduler.core.history.change import WRITTEN_BY_POOLS, Change, ChangeKind, Run, change_kinds_in, is_start
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import QUEUED, ActionKind, JobState
from scheduler.core.jobs.reason import ReasonCode


class Happening(StrEnum):
    """Events that a digest only counts."""

    PREEMPTED = "preempted"
    RESUMED = "resumed"
    INTERRUPTED = "interrupted"
    RETRIED = "retried"


_FINDINGS = {
    ActionKind.WARNED_IDLE: "idle GPUs",
    ActionKind.STOPPED_IDLE: "idle GPUs",
    ActionKind.WARNED_UNDERUSED: "barely used GPUs",
    ActionKind.STOPPED_UNDERUSED: "barely used GPUs",
    ActionKind.WARNED_HUNG: "a hang",
    ActionKind.STOPPED_HUNG: "a hang",
    ActionKind.WARNED_NAN_LOSS: "NaN losses",
    ActionKind.STOPPED_NAN_LOSS: "NaN losses",
    ActionKind.WARNED_DEADLINE: "an expected miss of its deadline",
}


@dataclass(slots=True)
class OwnerDay:
    #: The state in which each job ended, and the reason. Never SageMaker's text, which may quote the request.
    ends: dict[str, tuple[JobState, str]] = field(default_factory=dict)
    happened: Counter[Happening] = field(default_factory=Counter)
    findings: dict[tuple[str, str], None] = field(default_factory=dict)  # jobs and what was found, in order
    #: Instance seconds by type, of attempts and warm pools whose ends the period records: held, and billed.
    held: Counter[str] = field(default_factory=Counter)
    billed: Counter[str] = field(default_factory=Counter)

    def add(self, change: Change) -> None:
        """Adds a change of the period. Changes come in the order of recording."""
        if ChangeKind.ENDED in change_kinds_in(change):
            self.ends[change.job] = (change.state, _reason_of_end(change))
        self.happened.update(_happenings_in(change))
        found = (_FINDINGS.get(action.kind) for action in change.done)
        self.findings |= {(change.job, finding): None for finding in found if finding}
        if change.run is not None:
            self._add_time(change, change.run)

    def _add_time(self, change: Change, run: Run) -> None:
        if change.written_by == WRITTEN_BY_POOLS:
            self._add(run.demand, held=run.retained_seconds, billed=run.retained_seconds)
        elif run.is_new:
            # As spending limits count it.
            began = run.training_started_at or (run.reserved_at if run.outcome is Outcome.VANISHED else run.ended_at)
            held = max(0, round((run.ended_at - began).total_seconds()))
            self._add(run.demand, held=held, billed=held if run.billable_seconds is None else run.billable_seconds)

    def _add(self, demand: Demand, *, held: int, billed: int) -> None:
        for line, count in demand.counts:
            self.held[line] += count * held
            self.billed[line] += count * billed


def _reason_of_end(change: Change) -> str:
    if change.state is JobState.COMPLETED:
        return ""
    failure = change.run.failure_class if change.run and change.state is JobState.FAILED else None
    return change.message or f"{failure or change.reason}".replace("_", " ")


def _happenings_in(change: Change) -> set[Happening]:
    actions = {action.kind for action in change.done}
    found = {
        Happening.PREEMPTED: ChangeKind.PREEMPTION_FINISHED in change_kinds_in(change),
        Happening.RESUMED: is_start(change) and change.run is not None and change.run.outcome is Outcome.PREEMPTED,
        Happening.INTERRUPTED: ActionKind.INTERRUPTED in actions,
        Happening.RETRIED: ActionKind.RETRIED in actions or _is_end_before_another_attempt(change),
    }
    return {happening for happening, has_happened in found.items() if has_happened}


def _is_end_before_another_attempt(change: Change) -> bool:
    """Returns whether the queue had stopped the attempt, so that the job continues on demand or after a hang."""
    is_new = change.run is not None and change.run.is_new
    return is_new and change.state in QUEUED and change.reason in {ReasonCode.LEAVES_SPOT, ReasonCode.HUNG}
