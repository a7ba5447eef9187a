"""Decisions fall due without a submission or completion: when a job may preempt, and when one may be preempted."""

from benchmarks.scheduling.baselines import StrictFifo
from benchmarks.scheduling.engine import AttemptRow, Engine, Timers
from benchmarks.scheduling.production import Production
from benchmarks.scheduling.trace import Submission

from scheduler.core.planner.policy import Policy

HOUR = 3600
DAY = 24 * HOUR


def submission(index: int, *, at: int = 0, priority: int = 0) -> Submission:
    return Submission(index, at, DAY, 1, priority, 2 * DAY, "ada", "vision")


def replayed(policy: Policy, *trace: Submission, timed: bool = True) -> list[AttemptRow]:
    production = Production(1, policy, checkpoint=1800)
    return Engine(trace, 1, timers=production.timers if timed else None).run(production)


def first_preemption(rows: list[AttemptRow]) -> int:
    return min(row.end for row in rows if row.end_reason == "preempted")


def test_a_job_preempts_when_its_patience_ends() -> None:
    trace = [submission(0), submission(1, at=3 * HOUR, priority=1)]
    assert first_preemption(replayed(Policy(patience=300), *trace)) == 3 * HOUR + 300


def test_a_job_is_preempted_when_a_save_or_its_protected_run_time_ends_its_protection() -> None:
    trace = [submission(0), submission(1, at=60, priority=1)]
    assert first_preemption(replayed(Policy(), *trace)) == HOUR  # the first save at which a restart is at most a tenth
    assert first_preemption(replayed(Policy(protected_run_time=3000), *trace)) == 3000


def test_a_preempted_job_waits_anew_and_its_next_attempt_is_protected_anew() -> None:
    trace = [submission(0), submission(1, at=1, priority=1)]
    policy = Policy(patience=300, protected_run_time=600, preemptions_per_job=2)
    rows = replayed(policy, *trace, submission(2, at=2 * DAY, priority=1))
    attempts = [(row.start, row.end) for row in rows if row.end_reason == "preempted"]
    assert attempts[0] == (0, 600)
    assert attempts[1][1] == 2 * DAY + 300


def test_without_timers_nobody_preempts_between_submissions_and_completions() -> None:
    rows = replayed(Policy(), submission(0), submission(1, at=60, priority=1), timed=False)
    assert [row.end_reason for row in rows] == ["completed", "completed"]


class CountingFifo(StrictFifo):
    def __init__(self) -> None:
        super().__init__()
        self.decisions: list[int] = []

    def decide(self, engine: Engine, now: int) -> None:
        self.decisions.append(now)
        super().decide(engine, now)


def test_timers_of_jobs_that_have_started_or_ended_call_for_no_decision() -> None:
    counting = CountingFifo()
    Engine([submission(0)], 1, timers=Timers(waiting=[HOUR], running=[2 * DAY])).run(counting)
    assert counting.decisions == [0, DAY]
