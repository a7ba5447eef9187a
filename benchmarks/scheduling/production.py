"""Connects the production planner to a replay: builds snapshots, and carries out plans at once.

Holds the records in place of the store. As in a cycle, the planner gets the live jobs, and from the backlog only the
candidates that can affect the plan.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain

from benchmarks.scheduling.engine import Engine, Progress, Timers
from benchmarks.scheduling.trace import Submission
from queue_replay.backlog import Backlog
from queue_replay.protection import ends_of_protection
from scheduler.core.history.runtime_stats import RuntimeStats, SimilarityKey, SimilarRuns, similarity_keys
from scheduler.core.jobs.attempt import Attempt, EndedAttempt, Observation, Outcome
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job, JobOptions, JobSpec, JobStatus
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.plan import Launch, Plan, Preempt
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot

INSTANCE_TYPE = "ml.p4d.24xlarge"
_START = datetime(2026, 1, 1, tzinfo=UTC)
_ACCEPTED = Reason(ReasonCode.SUBMITTED)


class Production:
    def __init__(self, instances: int, policy: Policy, checkpoint: int | None) -> None:
        self._budget = Budget(Demand.of({INSTANCE_TYPE: instances}), (INSTANCE_TYPE,))
        self._policy = policy
        self._checkpoint = checkpoint
        self._backlog = Backlog()
        self._live: dict[str, LiveJob] = {}
        self._progress: dict[str, Progress] = {}
        self._runs: dict[SimilarityKey, SimilarRuns] = {}

    @property
    def timers(self) -> Timers:
        """The times after which a sweep finds that a job may preempt, or may be preempted."""
        # A first attempt trains at once, and later attempts after a restart.
        delays = (0, self._policy.restart_time)
        ends = (ends_of_protection(self._policy, self._policy, self._checkpoint, delay) for delay in delays)
        return Timers((self._policy.patience,), sorted(set(chain.from_iterable(ends))))

    def submitted(self, progress: Progress, now: int) -> None:
        job = self._job_of(progress.submission, now)
        self._progress[job.name] = progress
        self._backlog.add(job)

    def completed(self, progress: Progress) -> None:
        self._record_end(self._live[name_of(progress.submission)].job, progress.submission.duration)

    def _record_end(self, job: Job, seconds: float) -> None:
        del self._live[job.name]
        for key in similarity_keys(job):
            self._runs[key] = SimilarRuns.including(self._runs.get(key), job, seconds)

    def decide(self, engine: Engine, now: int) -> None:
        """Makes and carries out plans until one is empty, as the passes of a cycle do."""
        while self._needs_plan():
            decided = plan(self._snapshot(Demand.of({INSTANCE_TYPE: engine.free})), time_of(now))
            if not (decided.launches or decided.preemptions or decided.growths or decided.releases):
                return
            self._carry_out(decided, engine, now)

    def _needs_plan(self) -> bool:
        return bool(self._backlog)

    def _job_of(self, submission: Submission, now: int) -> Job:
        return job_of(submission, time_of(now), self._checkpoint)

    def _snapshot(self, free: Demand) -> Snapshot:
        live = tuple(self._live.values())
        return Snapshot(
            self._budget, live, tuple(self._backlog.candidates(free)), self._policy, RuntimeStats(self._runs)
        )

    def _carry_out(self, decided: Plan, engine: Engine, now: int) -> None:
        for launch in decided.launches:
            self._start(launch, engine, now)
        for entry in decided.preemptions:
            self._stop(entry, engine, now)

    def _start(self, launch: Launch, engine: Engine, now: int) -> None:
        job = launch.job
        self._backlog.remove(job)
        number = job.status.attempts + 1
        status = replace(job.status, state=JobState.RUNNING, reason=launch.reason, attempts=number)
        attempt = Attempt(f"{job.name}-sq-{number}", job.name, number, job.spec.demand, time_of(now), created=True)
        # A restart consists of SageMaker's Starting and Downloading. Its event has the time at which the script starts.
        seen = _training(time_of(now), since=time_of(now + engine.restart if number > 1 else now))
        self._live[job.name] = LiveJob(replace(job, status=status), replace(attempt, observation=seen))
        self._begin(launch, engine, now)

    def _begin(self, launch: Launch, engine: Engine, now: int) -> None:
        engine.start(self._progress[launch.job.name], now)

    def _stop(self, entry: Preempt, engine: Engine, now: int) -> None:
        job = self._stopped(entry.victim, Outcome.PREEMPTED, engine, now, entry.beneficiary.name)
        counted = replace(job.status, state=JobState.PREEMPTED, preemptions=job.status.preemptions + 1)
        self._wait_again(replace(job, status=counted), entry)

    def _stopped(self, live: LiveJob, outcome: Outcome, engine: Engine, now: int, beneficiary: str = "") -> Job:
        """Stops the attempt at once. Returns the job with the finished attempt, before the job waits again."""
        job, attempt = live.job, self._live.pop(live.job.name).attempt
        past = EndedAttempt(
            attempt.name,
            attempt.number,
            outcome,
            attempt.reserved_at,
            time_of(now),
            training_started_at=live.started_at,
            beneficiary=beneficiary,
            choice=job.spec.choice,
        )
        engine.preempt(self._progress[job.name], now)
        return replace(job, status=replace(job.status, history=(*job.status.history, past)))

    def _wait_again(self, job: Job, _: Preempt) -> None:
        self._backlog.add(job)


def job_of(submission: Submission, now: datetime, checkpoint_interval: int | None) -> Job:
    return Job(
        name=name_of(submission),
        owner=submission.user,
        digest="",
        submitted_at=now,
        spec=JobSpec(
            demand=Demand.of({INSTANCE_TYPE: submission.instances}),
            max_runtime=submission.max_runtime,
            checkpoint_uri=f"s3://checkpoints/{submission.index}" if checkpoint_interval else None,
        ),
        options=JobOptions(submission.priority, checkpoint_interval=checkpoint_interval),
        status=JobStatus(JobState.PENDING, _ACCEPTED, updated_at=now),
    )


def _training(started: datetime, since: datetime) -> Observation:
    return Observation("InProgress", "Training", since, training_started_at=started, training_since=since)


def name_of(submission: Submission) -> str:
    return f"{submission.user}-{submission.index:06d}"


def time_of(seconds: int) -> datetime:
    return _START + timedelta(seconds=seconds)
