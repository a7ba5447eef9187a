"""Replays a trace on a virtual clock: jobs run, save checkpoints, are stopped and run again as a scheduler decides.

The model: decisions happen on submission and completion; a restart pays `restart` seconds before it does any work; a
checkpoint is saved after each `checkpoint` seconds of work; a preemption loses the work since.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Protocol

from benchmarks.trace import Submission


@dataclass(slots=True)
class Progress:
    """Where a job stands."""

    submission: Submission
    saved: int = 0  # seconds of work that the newest checkpoint holds
    attempts: int = 0
    started: int | None = None  # of the live attempt
    preemptions: int = 0
    ended: int | None = None


@dataclass(frozen=True, slots=True)
class AttemptRow:
    job: int
    attempt: int
    start: int
    end: int
    instances: int
    end_reason: str  # completed, preempted
    lost: int  # seconds of this attempt that brought nothing: restart and unsaved work


class Decider(Protocol):
    """A scheduler. It tells the engine through `start` and `preempt`."""

    def submitted(self, job: Progress, now: int, /) -> None: ...

    def completed(self, job: Progress) -> None: ...

    def decide(self, engine: "Engine", now: int) -> None: ...


@dataclass
class Engine:
    submissions: Sequence[Submission]
    instances: int
    restart: int = 300
    checkpoint: int = 1800
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
            if self._take_in(now, decider):
                decider.decide(self, now)
        return self.rows

    def start(self, job: Progress, now: int) -> None:
        job.attempts += 1
        job.started = now
        self.free -= job.submission.instances
        if self.free < 0:
            raise AssertionError(f"over budget at {now}")
        self.running[job.submission.index] = job
        end = now + self._restart_of(job) + job.submission.duration - job.saved
        heappush(self._events, (end, _COMPLETED, job.submission.index, job.attempts))

    def preempt(self, job: Progress, now: int) -> None:
        held = self._held_seconds(job, now)
        worked = max(0, held - self._restart_of(job))
        saved = (job.saved + worked) // self.checkpoint * self.checkpoint
        self._close(job, now, "preempted", lost=held - (saved - job.saved))
        job.saved = saved
        job.preemptions += 1

    def _take_in(self, now: int, decider: Decider) -> bool:
        """Apply all that happens at this second; tells whether it calls for a decision."""
        calls = False
        while self._events and self._events[0][0] == now:
            _, kind, index, attempt = heappop(self._events)
            job = self.jobs[index]
            if kind == _SUBMITTED:
                decider.submitted(job, now)
                calls = True
            elif job.started is not None and job.attempts == attempt:
                self._close(job, now, "completed", lost=self._restart_of(job))
                job.ended = now
                decider.completed(job)
                calls = True
        return calls

    def _close(self, job: Progress, now: int, reason: str, lost: int) -> None:
        if job.started is None:
            raise AssertionError("only what runs can end")
        one = job.submission
        self.rows.append(AttemptRow(one.index, job.attempts, job.started, now, one.instances, reason, lost))
        self.free += one.instances
        del self.running[one.index]
        job.started = None

    def _held_seconds(self, job: Progress, now: int) -> int:
        return now - (job.started or 0)

    def _restart_of(self, job: Progress) -> int:
        return self.restart if job.attempts > 1 else 0


# Completions come before submissions of the same second: their instances are free for these.
_COMPLETED, _SUBMITTED = range(2)
