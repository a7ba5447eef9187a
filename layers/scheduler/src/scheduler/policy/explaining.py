"""Why a job waits, what it waits for and when it may start: told from the same plan that is carried out."""

from dataclasses import dataclass, replace
from datetime import datetime

from scheduler.domain.job import Job, JobState
from scheduler.domain.plan import Plan
from scheduler.domain.reason import Reason
from scheduler.domain.snapshot import Snapshot
from scheduler.policy.estimates import Starts, estimated_starts
from scheduler.policy.planning import plan
from scheduler.policy.turns import Turns, in_turn


@dataclass(frozen=True, slots=True)
class PriorityParts:
    """What makes a job's place in the queue, the most important part first."""

    is_promised: bool  # others were stopped for it
    is_elder: bool  # it has waited so long that it may claim the starvation share
    is_entitled: bool  # it is within its team's guarantee
    priority: int  # as submitted
    expected_run_time: float  # seconds; decides among equals when the ordering is `shortest`
    submitted_at: datetime  # decides among equals otherwise


@dataclass(frozen=True, slots=True)
class Explanation:
    job: Job
    position: int  # from 1, among those that wait
    reason: Reason
    waits_for: tuple[str, ...]  # jobs whose end gives it its place, running or ahead of it
    priority: PriorityParts
    starts: Starts


@dataclass(frozen=True, slots=True)
class Forecast:
    """What would become of a job if it were submitted now."""

    starts_now: bool
    behind: int  # how many jobs would wait ahead of it
    preempts: tuple[str, ...]
    reason: Reason


def explain(snapshot: Snapshot, now: datetime) -> dict[str, Explanation]:
    """An explanation for each job that waits, by name."""
    decided = plan(snapshot, now)
    starts = estimated_starts(snapshot, decided, now)
    turns = in_turn(snapshot, now)
    return {
        wait.job.name: Explanation(
            job=wait.job,
            position=position,
            reason=wait.reason,
            waits_for=_released_for(wait.job, snapshot, decided) or _after(starts[wait.job.name]),
            priority=_parts(wait.job, snapshot, turns),
            starts=starts[wait.job.name],
        )
        for position, wait in enumerate(decided.waits, start=1)
    }


def what_if(snapshot: Snapshot, job: Job, now: datetime) -> Forecast:
    """Nothing is changed: the same plan is made with one job more."""
    decided = plan(replace(snapshot, queued=(*snapshot.queued, job)), now)
    waiting = [wait.job.name for wait in decided.waits]
    reason = decided.reason_for(job.name)
    if reason is None:
        raise AssertionError(f"the plan forgot {job.name}")
    return Forecast(
        starts_now=any(launch.job.name == job.name for launch in decided.launches),
        behind=waiting.index(job.name) if job.name in waiting else 0,
        preempts=tuple(entry.victim.job.name for entry in decided.preemptions if entry.beneficiary.name == job.name),
        reason=reason,
    )


def _parts(job: Job, snapshot: Snapshot, turns: Turns) -> PriorityParts:
    return PriorityParts(
        is_promised=job.name in turns.promised,
        is_elder=job.name in turns.elders,
        is_entitled=job.name in turns.ranks.entitled,
        priority=job.priority,
        expected_run_time=snapshot.history.expected_run_time(job),
        submitted_at=job.submitted_at,
    )


def _released_for(job: Job, snapshot: Snapshot, decided: Plan) -> tuple[str, ...]:
    chosen = [entry.victim.job.name for entry in decided.preemptions if entry.beneficiary.name == job.name]
    stopping = [
        live.job.name
        for live in snapshot.live
        if live.job.state is JobState.STOPPING and live.job.stop and live.job.stop.asked_by == job.name
    ]
    return (*stopping, *chosen)


def _after(starts: Starts) -> tuple[str, ...]:
    return (starts.after,) if starts.after else ()
