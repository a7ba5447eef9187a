"""Moves one job through its statuses. The messages are those of real jobs, but AWS advises against branching on them.

Starting → Downloading → Training → Uploading → Completed | Failed. After a stop, Stopping comes before the end. After
a spot interruption or, with a RetryStrategy, an internal error, the job returns to Starting.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from local_sagemaker.state_machine.capacity import Capacity
from local_sagemaker.state_machine.commands import (
    Command,
    Discard,
    Exited,
    Kill,
    Measured,
    Prepare,
    Prepared,
    Report,
    Run,
    RunFailed,
    Terminate,
    Upload,
    Uploaded,
)
from local_sagemaker.state_machine.job import PoolStatus, Secondary, Status, TrainingJob, WarmPool, end_pool

CAPACITY_ERROR = (
    "CapacityError: Unable to provision requested ML compute capacity. Please retry using a different ML instance type."
)
INTERNAL_ERROR = "InternalServerError: We encountered an internal error. Please try again."
_END_MESSAGES = {
    Secondary.COMPLETED: "Training job completed",
    Secondary.FAILED: "Training job failed",
    Secondary.STOPPED: "Training job stopped",
    Secondary.MAX_RUNTIME_EXCEEDED: "Training job runtime exceeded MaxRuntimeInSeconds provided",
    Secondary.MAX_WAIT_TIME_EXCEEDED: "Training job wait time exceeded MaxWaitTimeInSeconds provided",
}


@dataclass(frozen=True, slots=True)
class Lifecycle:
    grace_seconds: float
    capacity: Capacity
    long_pending_fails: Callable[[], bool]
    retains_pool: Callable[[TrainingJob], bool]
    changed: Callable[[TrainingJob, float], None]
    command: Callable[[Command], None]

    def start(self, job: TrainingJob, now: float, *, on_warm_pool: bool = False) -> None:
        self._enter(job, Status.IN_PROGRESS, Secondary.STARTING, "Preparing the instances for training", now)
        if on_warm_pool:
            job.ready_at = now
        else:
            self.await_instances(job, now)

    def await_instances(self, job: TrainingJob, now: float) -> None:
        """Sets the time at which the instances are available. Call this again after a change to the capacity."""
        job.ready_at = self.capacity.ready_at(job.resolved_request, now)
        is_short = job.ready_at is None or self.capacity.is_short(job.resolved_request, now)
        if is_short and job.secondary is Secondary.STARTING:
            self._enter(job, Status.IN_PROGRESS, Secondary.PENDING, "Training job waiting for capacity", now)

    def due(self, job: TrainingJob) -> float:
        """Returns the time of the job's next timed change."""
        if job.is_terminal:
            pool = job.warm_pool
            return pool.expires_at if pool and pool.expires_at is not None else inf
        if job.status is Status.STOPPING:
            return inf if job.kill_at is None else job.kill_at
        return min(
            _known(job.ready_at), _runtime_end(job), _wait_end(job), _pending_end(job), self._capacity_wait_end(job)
        )

    def fire(self, job: TrainingJob, now: float) -> None:
        """Applies the timed change that is due."""
        if job.is_terminal:
            end_pool(job, PoolStatus.TERMINATED, now)
        elif job.status is Status.STOPPING:
            self._end_grace(job, now)
        elif _wait_end(job) <= now:
            self.stop(job, Secondary.MAX_WAIT_TIME_EXCEEDED, now)
        elif _runtime_end(job) <= now:
            self.stop(job, Secondary.MAX_RUNTIME_EXCEEDED, now)
        elif _pending_end(job) <= now:
            self._end_pending(job, now)
        elif self._capacity_wait_end(job) <= now:
            self._fail(job, CAPACITY_ERROR, now)
        else:
            self._bring_up(job, now)

    def stop(self, job: TrainingJob, end: Secondary, now: float) -> None:
        previous = job.secondary
        job.stopped_as = end
        self._enter(job, Status.STOPPING, Secondary.STOPPING, "Stopping the training job", now)
        if previous is Secondary.TRAINING:
            job.kill_at = now + self.grace_seconds
            self.command(Terminate(job.name))
        elif job.up_since is None:
            job.kill_at = now  # no process runs yet

    def interrupt(self, job: TrainingJob, now: float) -> None:
        """Takes the spot instances away while the job downloads or trains. The same job then starts again."""
        if job.secondary not in {Secondary.DOWNLOADING, Secondary.TRAINING}:
            return
        if job.secondary is Secondary.TRAINING:
            self.command(Kill(job.name))
        self._enter(job, Status.IN_PROGRESS, Secondary.INTERRUPTED, "Training job interrupted", now)

    def report(self, job: TrainingJob, report: Report, now: float) -> None:
        """Applies the runner's report about the job's work."""
        match report:
            case RunFailed(reason):
                self._fail(job, reason, now)
            case Prepared() | Measured() | Exited() | Uploaded() if job.up_since is None:
                pass  # a report from instances that the job no longer has
            case Prepared() | Exited() if job.secondary is Secondary.INTERRUPTED:
                self._restart(job, now)
            case Prepared() if job.status is Status.STOPPING:
                self._finish(job, now)
            case Prepared():
                message = "Training image download completed. Training in progress."
                self._enter(job, Status.IN_PROGRESS, Secondary.TRAINING, message, now)
                self.command(Run(job.name))
            case Measured(metrics):
                job.objective_values += [metric.value for metric in metrics if metric.name == job.objective_metric]
            case Exited(code, message, metrics):
                job.final_metrics = list(metrics)
                self._start_upload(job, code, message, now)
            case Uploaded():
                self._finish(job, now)

    def _capacity_wait_end(self, job: TrainingJob) -> float:
        """Returns the time at which SageMaker stops looking for instances."""
        if job.secondary is not Secondary.PENDING:
            return inf
        return job.transitions[-1].start + self.capacity.fails_after_seconds(job.resolved_request)

    def _bring_up(self, job: TrainingJob, now: float) -> None:
        job.ready_at = None
        job.up_since = now
        job.selected = job.selected or self.capacity.selected(job.request, now)
        job.started_at = now if job.started_at is None else job.started_at
        if job.keep_alive_seconds:
            job.warm_pool = WarmPool(PoolStatus.IN_USE, now)
        self._enter(job, Status.IN_PROGRESS, Secondary.DOWNLOADING, "Downloading the training image", now)
        self.command(Prepare(job.name))

    def _end_pending(self, job: TrainingJob, now: float) -> None:
        if self.long_pending_fails():
            self._fail(job, CAPACITY_ERROR, now)
        else:
            self.stop(job, Secondary.STOPPED, now)

    def _end_grace(self, job: TrainingJob, now: float) -> None:
        job.kill_at = None
        if job.up_since is None:
            self._finish(job, now)
        else:
            self.command(Kill(job.name))

    def _start_upload(self, job: TrainingJob, code: int, message: str, now: float) -> None:
        job.kill_at = None
        if code != 0 and job.stopped_as is None:
            job.failure_reason = _algorithm_error(code, message)
        self._enter(job, job.status, Secondary.UPLOADING, "Uploading generated training model", now)
        self.command(Upload(job.name))

    def _fail(self, job: TrainingJob, reason: str, now: float) -> None:
        allowed = job.request.get("RetryStrategy", {}).get("MaximumRetryAttempts", 0)
        if reason.startswith("InternalServerError") and job.retries < allowed and job.stopped_as is None:
            job.retries += 1
            self._restart(job, now)
        else:
            job.failure_reason = reason[:1024]
            self._finish(job, now)

    def _restart(self, job: TrainingJob, now: float) -> None:
        self._release_instances(job, now)
        job.warm_pool = None  # the pool ended with its instances, and the job may never get others
        self.start(job, now)

    def _finish(self, job: TrainingJob, now: float) -> None:
        was_up = job.up_since is not None
        self._release_instances(job, now)
        job.ended_at = now
        status, secondary = _final_status(job)
        job.enter(status, secondary, _END_MESSAGES[secondary], now)
        job.transitions[-1].end = now
        if was_up and job.keep_alive_seconds:
            self._retain(job, now)
        self.changed(job, now)

    def _retain(self, job: TrainingJob, now: float) -> None:
        """Keeps the instances in a warm pool, unless they are broken or the quota allows none."""
        is_broken = (job.failure_reason or "").startswith("InternalServerError")
        if is_broken or not self.retains_pool(job):
            job.warm_pool = WarmPool(PoolStatus.TERMINATED, now, retained_seconds=0)
        else:
            job.warm_pool = WarmPool(PoolStatus.AVAILABLE, now, now + job.keep_alive_seconds)

    def _release_instances(self, job: TrainingJob, now: float) -> None:
        if job.up_since is not None:
            job.billed_seconds += now - job.up_since
            job.up_since = None
            self.command(Discard(job.name))

    def _enter(self, job: TrainingJob, status: Status, secondary: Secondary, message: str, now: float) -> None:
        job.enter(status, secondary, message, now)
        self.changed(job, now)


def _final_status(job: TrainingJob) -> tuple[Status, Secondary]:
    if job.stopped_as is not None:
        return Status.STOPPED, job.stopped_as
    if job.failure_reason is not None:
        return Status.FAILED, Secondary.FAILED
    return Status.COMPLETED, Secondary.COMPLETED


def _algorithm_error(code: int, message: str) -> str:
    """Returns the failure reason, with only the end of a long message: a FailureReason has at most 1024 characters."""
    head = f"AlgorithmError: ExecuteUserScriptError:\nExitCode {code}\nErrorMessage "
    return f'{head}"{message[len(head) + 2 - 1024 :]}"'


def _known(moment: float | None) -> float:
    return inf if moment is None else moment


def _runtime_end(job: TrainingJob) -> float:
    if job.up_since is None or job.secondary is Secondary.UPLOADING:
        return inf
    return job.up_since + float(job.stopping_condition["MaxRuntimeInSeconds"]) - job.billed_seconds


def _wait_end(job: TrainingJob) -> float:
    """Returns the time by which waiting and running must both have ended. Only managed spot training has this limit."""
    seconds = job.stopping_condition.get("MaxWaitTimeInSeconds")
    return inf if seconds is None or job.secondary is Secondary.UPLOADING else job.created_at + float(seconds)


def _pending_end(job: TrainingJob) -> float:
    """Returns the time by which the job must have instances. After a restart, the limit applies again."""
    seconds = job.stopping_condition.get("MaxPendingTimeInSeconds")
    if seconds is None or job.up_since is not None:
        return inf
    return float(seconds) + max(one.start for one in job.transitions if one.status is Secondary.STARTING)
