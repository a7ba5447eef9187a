"""Judges how jobs end: the queue's reason agrees with SageMaker, and a cancellation takes precedence."""

from local_sagemaker.state_machine.job import TrainingJob
from local_sagemaker.state_machine.processing.job import ProcessingJob
from local_sagemaker.state_machine.tuning.job import TuningJob
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from support.simulation.judges.checks import Checks
from support.simulation.submissions.user_requests import UserRequests


class JobEndJudge:
    def __init__(self, checks: Checks, user_requests: UserRequests) -> None:
        self._check, self._user_requests = checks.check, user_requests
        self._ended_as: dict[str, str] = {}  # status by training job

    def status_of(self, name: str) -> str | None:
        """Returns the final status of a training job, or None."""
        return self._ended_as.get(name)

    def record_end(self, attempt: TrainingJob | ProcessingJob | TuningJob) -> None:
        # The last of that name counts: a lost Create is resent, even after a user deleted its training job.
        self._ended_as[attempt.name] = attempt.status.value

    def check_job(self, job: Job) -> None:
        """Checks S3: SageMaker confirms the reason."""
        last = job.status.history[-1] if job.status.history else None
        truth = self._ended_as.get(last.name, "") if last else ""
        code = job.status.reason.code
        is_true = {
            # A stop may come just after the last trial of a tuning job, and earlier attempts may have results.
            JobState.COMPLETED: truth == "Completed"
            or (truth == "Stopped" and job.spec.tuning is not None)
            or (truth == "Failed" and job.status.tuning_progress.has_value),
            JobState.FAILED: truth == "Failed" or code is ReasonCode.CREATE_REFUSED,
            JobState.STOPPED: self._is_stop_true(job, truth),
        }.get(job.status.state, True)
        self._check(
            "S3", is_true, f"{job.name} is {job.status.state} ({code}), but SageMaker says {truth or 'nothing'}"
        )
        if job.name in self._user_requests.cancelled - self._user_requests.revived:
            ended = job.status.state in {JobState.STOPPED, JobState.COMPLETED}
            self._check("S7", ended, f"{job.name} is {job.status.state} after it was cancelled")

    def _is_stop_true(self, job: Job, truth: str) -> bool:
        last = job.status.history[-1] if job.status.history else None
        match job.status.reason.code:
            case ReasonCode.STOPPED_OUTSIDE:
                return last is not None and last.name in self._user_requests.stopped_in_console
            case ReasonCode.VANISHED:
                return last is not None and last.name in self._user_requests.deleted
            case ReasonCode.TIME_LIMIT:
                return truth == "Stopped"
            case ReasonCode.IDLE_GPU | ReasonCode.UNDERUSED | ReasonCode.NAN_LOSS | ReasonCode.HUNG:
                return truth in {"Stopped", "Failed"}  # it may fail while it is being stopped
        return True
