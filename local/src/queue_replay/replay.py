"""Replays jobs with the production planner on a virtual clock. Each plan takes effect at once, and nothing fails.

An attempt trains some seconds after its reservation, and holds its instances for some seconds after a stop. A preempted
job continues from its last checkpoint. The planner runs at each submission and each end, and whenever the calendar
changes the budget. It also runs in the first sweep after the end of a job's patience, and after a save or a protected
run time that may end an attempt's protection.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from functools import partial
from heapq import heappop, heappush
from itertools import takewhile
from zoneinfo import ZoneInfo

from queue_replay.backlog import Backlog
from queue_replay.protection import ends_of_protection
from queue_replay.recorded_jobs import RecordedJob, Recording, saved_seconds
from scheduler.core.calendar.budget_schedule import HORIZON, ScheduledBudgets, scheduled_budgets
from scheduler.core.calendar.calendar import Calendar
from scheduler.core.history.runtime_stats import RuntimeStats, SimilarityKey, SimilarRuns, similarity_keys
from scheduler.core.jobs.attempt import Attempt, EndedAttempt, Observation, Outcome
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand, total
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState, Stop, StopCause
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.sections.controls import Controls

_SWEEP = 60.0
#: A job that has not started by then never starts, because plans look no further ahead.
_NEVER = 2 * HORIZON.total_seconds()


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """An attempt, replayed or recorded; times in seconds since the epoch."""

    job: Job
    demand: Demand  # the instances of the alternative that ran
    waited_since: float
    reserved_at: float
    training_at: float
    ended_at: float
    is_preempted: bool
    lost: float  # seconds of training that were repeated

    @property
    def size(self) -> int:
        """The number of the attempt's instances."""
        return sum(count for _, count in self.demand.counts)


class _Kind(IntEnum):
    """The kinds of events. At the same time, ends come before submissions, which can then use the freed instances."""

    END = 0
    SUBMISSION = 1
    SWEEP = 2
    CALENDAR = 3


@dataclass(slots=True)
class _Progress:
    recorded: RecordedJob
    waits_since: float
    saved: float = 0.0  # seconds of work
    attempt: int = 0


@dataclass
class Replay:
    recording: Recording
    budget: Budget  # outside the windows of the calendar
    policy: Policy
    calendar: Calendar = field(default_factory=partial(Calendar, time_zone=ZoneInfo("UTC")))
    attempts: list[AttemptRecord] = field(default_factory=list)
    never_started: list[str] = field(default_factory=list)  # jobs that need more than the whole budget

    def __post_init__(self) -> None:
        self._events: list[tuple[float, _Kind, str, int]] = []
        self._waiting: dict[str, Job] = {}
        self._backlog = Backlog()  # the waiting jobs in groups
        self._live: dict[str, LiveJob] = {}
        self._progress: dict[str, _Progress] = {}
        self._runs: dict[SimilarityKey, SimilarRuns] = {}
        self._next_period = 0.0  # the time of the next planned budget change
        self._last_start = 0.0  # the last start of any job, or its submission

    def run(self) -> Sequence[AttemptRecord]:
        for recorded in self.recording.jobs:
            at = recorded.job.submitted_at.timestamp()
            self._progress[recorded.job.name] = _Progress(recorded, at)
            heappush(self._events, (at, _Kind.SUBMISSION, recorded.job.name, 0))
        while self._events:
            now = self._events[0][0]
            needs_decision = False
            while self._events and self._events[0][0] == now:
                _, kind, name, attempt = heappop(self._events)
                if kind in {_Kind.SUBMISSION, _Kind.END}:
                    self._apply(kind, name, attempt, now)
                needs_decision |= kind is not _Kind.SWEEP or self._is_current(name, attempt)
            if needs_decision:
                self._decide(now)
        self.never_started += self._waiting
        return self.attempts

    def _apply(self, kind: _Kind, name: str, attempt: int, now: float) -> None:
        progress = self._progress[name]
        if kind is _Kind.SUBMISSION:
            self._last_start = now
            largest_budget = self.calendar.largest_budget(self.budget, _time(now))
            if not largest_budget.could_ever_run(progress.recorded.job.spec.demand):
                self.never_started.append(name)
                return
            self._wait(progress.recorded.job, now)
        elif name in self._live and progress.attempt == attempt:
            self._end(self._live.pop(name), progress, now)

    def _wait(self, job: Job, now: float) -> None:
        self._progress[job.name].waits_since = now
        self._waiting[job.name] = job
        self._backlog.add(job)
        for delay in (self.policy.of(job).patience, self.policy.starvation_after):
            self._sweep_after(job.waits_since.timestamp() + delay, job.name, now)

    def _is_current(self, name: str, attempt: int) -> bool:
        """Returns whether the job still waits, or still runs, as it did when its sweep was planned."""
        return self._progress[name].attempt == attempt and (name in self._waiting or name in self._live)

    def _sweep_after(self, due: float, name: str, now: float) -> None:
        """Plans an event at the first sweep after the due time."""
        if due > now:
            heappush(self._events, ((due // _SWEEP + 1) * _SWEEP, _Kind.SWEEP, name, self._progress[name].attempt))

    def _end(self, live: LiveJob, progress: _Progress, now: float) -> None:
        job = live.job
        training_at = live.started_at.timestamp()
        trained = max(0.0, now - training_at)
        is_preempted = job.status.state is JobState.STOPPING and progress.saved + trained < progress.recorded.work
        saved = saved_seconds(progress.saved + trained, job) if is_preempted else progress.recorded.work
        lost = progress.saved + trained - saved if is_preempted else 0.0
        reserved_at = live.attempt.reserved_at.timestamp()
        self.attempts.append(
            AttemptRecord(
                job, job.spec.demand, progress.waits_since, reserved_at, min(training_at, now), now, is_preempted, lost
            )
        )
        ended = _ended(live, now)
        if is_preempted:
            progress.saved = saved
            self._wait(ended, now)
            return
        for key in similarity_keys(job):
            self._runs[key] = SimilarRuns.including(self._runs.get(key), job, ended.trained_seconds)

    def _decide(self, now: float) -> None:
        """Makes and carries out plans until a plan is empty, as the passes of a cycle do."""
        budgets = scheduled_budgets(self.calendar, Controls(), self.budget, _time(now))
        while self._waiting or (self._live and budgets.largest_later_budget):
            decided = plan(self._snapshot(budgets), _time(now))
            if not (decided.launches or decided.preemptions or decided.evictions):
                break
            self._carry_out(decided, now)
        self._wait_for_the_calendar(budgets, now)

    def _wait_for_the_calendar(self, budgets: ScheduledBudgets, now: float) -> None:
        """Plans an event at the next budget change if a job may then start."""
        if not budgets.coming or not (self._waiting or self._live) or now > self._last_start + _NEVER:
            return
        due = budgets.coming[0].begins.timestamp()
        if due != self._next_period:
            self._next_period = due
            heappush(self._events, (due, _Kind.CALENDAR, "", 0))

    def _snapshot(self, budgets: ScheduledBudgets) -> Snapshot:
        return Snapshot(
            budgets.now.budget,
            tuple(self._live.values()),
            tuple(self._backlog.candidates(_free(budgets.now.budget, self._live.values()))),
            self.policy,
            RuntimeStats(self._runs),
            largest_later_budget=budgets.largest_later_budget,
            excess=budgets.now.excess,
            periods=budgets.coming,
        )

    def _carry_out(self, decided: Plan, now: float) -> None:
        for launch in decided.launches:
            self._start(launch.job, now)
        for entry in decided.preemptions:
            self._stop(entry.victim, entry.beneficiary.name, now)
        for eviction in decided.evictions:
            self._stop(eviction.victim, "", now)

    def _start(self, job: Job, now: float) -> None:
        self._last_start = now
        self._backlog.remove(self._waiting.pop(job.name))
        progress = self._progress[job.name]
        progress.attempt += 1
        trains_at = now + self.recording.startup
        running = replace(job, status=replace(job.status, state=JobState.RUNNING, attempts=progress.attempt))
        seen = Observation(
            "InProgress", "Training", _time(now), training_started_at=_time(trains_at), training_since=_time(trains_at)
        )
        name = f"{job.name}-sq-{progress.attempt}"
        attempt = Attempt(name, job.name, progress.attempt, job.spec.demand, _time(now), created=True, observation=seen)
        self._live[job.name] = LiveJob(running, attempt)
        ends_at = trains_at + progress.recorded.work - progress.saved
        heappush(self._events, (ends_at, _Kind.END, job.name, progress.attempt))
        protection = ends_of_protection(self.policy, self.policy.of(job), job.checkpoint_interval)
        ends = takewhile(lambda seconds: trains_at + seconds < ends_at, protection)
        dues = (trains_at + seconds for seconds in ends)
        for due in {due // _SWEEP: due for due in dues}.values():  # one sweep sees all saves of its minute
            self._sweep_after(due, job.name, now)

    def _stop(self, victim: LiveJob, beneficiary: str, now: float) -> None:
        stop = Stop(StopCause.PREEMPTION, asked_at=_time(now), asked_by=beneficiary)
        stopping = replace(victim.job, status=replace(victim.job.status, state=JobState.STOPPING, stop=stop))
        self._live[victim.job.name] = LiveJob(stopping, victim.attempt)
        heappush(self._events, (now + self.recording.stopping, _Kind.END, victim.job.name, victim.attempt.number))


def _ended(live: LiveJob, now: float) -> Job:
    """Returns the job with its finished attempt. A preempted job waits again."""
    status, attempt = live.job.status, live.attempt
    past = EndedAttempt(
        attempt.name,
        attempt.number,
        Outcome.PREEMPTED,
        attempt.reserved_at,
        _time(now),
        training_started_at=min(live.started_at, _time(now)),
        beneficiary=status.stop.asked_by if status.stop else "",
    )
    waiting = replace(
        status,
        state=JobState.PREEMPTED,
        stop=None,
        preemptions=status.preemptions + 1,
        history=(*status.history, past),
    )
    return replace(live.job, status=waiting)


def _free(budget: Budget, live: Iterable[LiveJob]) -> Demand:
    return budget.limit - total(entry.attempt.demand for entry in live)


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(0, UTC) + timedelta(seconds=seconds)
