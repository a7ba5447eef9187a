"""Replays a trace on a virtual clock: jobs run, save checkpoints, and are stopped and restarted by a scheduler.

The scheduler decides at each submission and completion, and when a timer expires. A restarted job first spends
`restart` seconds without work. A job saves a checkpoint after each `checkpoint` seconds of work. A preemption loses the
work since the last checkpoint, or no work if jobs save at the notice before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Protocol

from benchmarks.scheduling.trace import Submission


@dataclass(slots=True)
class Progress:
    """The progress of a job."""

    submission: Submission
    saved: int = 0  # seconds of work in the latest checkpoint, on all instances
    width: int = 0  # instances of the live attempt; for an elastic job, perhaps not all
    attempts: int = 0
    started: int | None = None  # the start of the live attempt
    preemptions: int = 0
    ended: int | None = None


@dataclass(frozen=True, slots=True)
class AttemptRow:
    job: int
    attempt: int
    start: int
    end: int
    instances: int
    end_reason: str  # completed or preempted
    lost: int  # wasted seconds of this attempt: restart and unsaved work


class Decider(Protocol):
    """A scheduler. It calls the engine's `start` and `preempt`."""

    def submitted(self, job: Progress, now: int, /) -> None: ...

    def completed(self, job: Progress) -> None: ...

    def decide(self, engine: "Engine", now: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Timers:
    """The seconds after which the scheduler decides again, because a job may then preempt or be preempted."""

    waiting: Sequence[int]  # after the start of a wait
    running: Sequence[int]  # after the start of an attempt


@dataclass
class Engine:
    submissions: Sequence[Submission]
    instances: int
    restart: int = 300
    checkpoint: int | None = 1800  # None: jobs do not save periodically
    saves_at_notice: bool = False
    timers: Timers | None = None
    rows: list[AttemptRow] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.jobs = [Progress(submission) for submission in self.submissions]
        self.free = self.instances
        self.running: dict[int, Progress] = {}
        self._events: list[tuple[int, int, int, int]] = []  # time, kind, job, attempt

    def run(self, decider: Decider) -> list[AttemptRow]:
        for job in self.submissions:
            if job.instances <= self.instances:
                heappush(self._events, (job.submit, _SUBMITTED, job.index, 0))
        while self._events:
            now = self._events[0][0]
            if self._apply_events(now, decider):
                decider.decide(self, now)
        return self.rows

    def start(self, job: Progress, now: int) -> None:
        self.start_at_width(job, job.submission.instances, now)

    def start_at_width(self, job: Progress, width: int, now: int) -> None:
        """Starts the job on this number of instances. The job's speed is proportional to the number."""
        job.attempts += 1
        job.started = now
        job.width = width
        self.free -= job.width
        if self.free < 0:
            raise AssertionError(f"over budget at {now}")
        self.running[job.submission.index] = job
        left = (job.submission.duration - job.saved) * job.submission.instances // job.width
        end = now + self._restart_of(job) + left
        heappush(self._events, (end, _COMPLETED, job.submission.index, job.attempts))
        self._set_timers(job, now, self.timers.running if self.timers else ())

    def preempt(self, job: Progress, now: int) -> None:
        held = self._held_seconds(job, now)
        worked = max(0, held - self._restart_of(job)) * job.width // job.submission.instances
        saved = self._saved_of(job.saved + worked)
        kept = (saved - job.saved) * job.submission.instances // job.width
        self._close(job, now, "preempted", lost=held - kept)
        job.saved = saved
        job.preemptions += 1
        self._begin_wait(job, now)

    def _saved_of(self, worked: int) -> int:
        if self.saves_at_notice:
            return worked
        return worked // self.checkpoint * self.checkpoint if self.checkpoint else 0

    def _apply_events(self, now: int, decider: Decider) -> bool:
        """Applies all events of this second. Returns whether the scheduler must decide."""
        needs_decision = False
        while self._events and self._events[0][0] == now:
            _, kind, index, attempt = heappop(self._events)
            job = self.jobs[index]
            if kind == _SUBMITTED:
                self._begin_wait(job, now)
                decider.submitted(job, now)
                needs_decision = True
            elif kind == _TIMER:
                needs_decision |= job.ended is None and job.attempts == attempt
            elif job.started is not None and job.attempts == attempt:
                self._close(job, now, "completed", lost=self._restart_of(job))
                job.ended = now
                decider.completed(job)
                needs_decision = True
        return needs_decision

    def _begin_wait(self, job: Progress, now: int) -> None:
        self._set_timers(job, now, self.timers.waiting if self.timers else ())

    def _set_timers(self, job: Progress, now: int, delays: Sequence[int]) -> None:
        for seconds in delays:
            heappush(self._events, (now + seconds, _TIMER, job.submission.index, job.attempts))

    def _close(self, job: Progress, now: int, reason: str, lost: int) -> None:
        if job.started is None:
            raise AssertionError("only running jobs can end")
        index = job.submission.index
        self.rows.append(AttemptRow(index, job.attempts, job.started, now, job.width, reason, lost))
        self.free += job.width
        del self.running[index]
        job.started = None

    def _held_seconds(self, job: Progress, now: int) -> int:
        return now - (job.started or 0)

    def _restart_of(self, job: Progress) -> int:
        return self.restart if job.attempts > 1 else 0


# In the same second, completions come before submissions, which can then use the freed instances.
_COMPLETED, _SUBMITTED, _TIMER = range(3)
