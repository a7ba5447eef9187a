"""What a change is about, for those who want to hear of some changes only."""

from collections.abc import Iterator

from scheduler.core.history.change import BY_POOLS, Change, ChangeKind
from scheduler.core.jobs.action import ActionKind
from scheduler.core.jobs.job import FINISHED, JobState
from scheduler.core.jobs.reason import ReasonCode

_OF_GUARDRAILS = frozenset({ActionKind.WARNED_IDLE, ActionKind.WARNED_UNDERUSED, ActionKind.STOPPED_IDLE})
#: Reasons of a job that has given way; it keeps them while it waits, unless something else becomes of it.
_GAVE_WAY = frozenset({ReasonCode.OUTRANKED, ReasonCode.RECLAIMED, ReasonCode.OVER_BUDGET})


def change_kinds_in(change: Change) -> Iterator[ChangeKind]:
    if change.written_by == BY_POOLS:
        return
    done = {one.kind for one in change.done}
    if change.version == 0:
        yield ChangeKind.SUBMITTED
    if ActionKind.PREEMPTED in done:
        yield ChangeKind.PREEMPTION_STARTED
    if change.state is JobState.PREEMPTED and change.reason in _GAVE_WAY and not done:
        yield ChangeKind.PREEMPTION_FINISHED
    if ActionKind.PARKED in done:
        yield ChangeKind.PARKED
    if done & _OF_GUARDRAILS or change.reason is ReasonCode.RULE_VIOLATED:
        yield ChangeKind.GUARDRAIL
    if change.state in FINISHED:
        yield ChangeKind.ENDED
