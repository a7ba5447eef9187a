"""Makes SDK v3's `TrainingJob.wait` show a queued job's log.

v3's own method reads logs with a client from another session, and finds only the first attempt's streams. It also sends
the log lines to `logging`, which does not show them by default. For queued jobs, `wait` is replaced; for other jobs,
v3's own method runs.

The functions import the SDK when they are called, after the program itself has imported it.
"""

from functools import wraps
from typing import Any

from sagequeue.errors import StillRunning
from sagequeue.hooks.handlers import JobLookup, jobs_of
from sagequeue.jobs.logs import JobLog, follow_job
from sagequeue.visible_text import visible

_REPLACED = "_sagequeue"


def show_waits() -> None:
    """Makes `TrainingJob.wait`, and therefore `ModelTrainer.train`, show a queued job's log.

    A second call does nothing.
    """
    from sagemaker.core.resources import TrainingJob

    sdks_own = TrainingJob.wait
    if hasattr(sdks_own, _REPLACED):
        return

    @wraps(sdks_own)
    def wait(self: Any, poll: int = 5, timeout: int | None = None, logs: bool | None = False) -> None:  # noqa: FBT001, FBT002  # the SDK's own
        client = _clients_of(self).sagemaker_client
        jobs = jobs_of(client)
        if jobs and jobs.is_in(client.meta.region_name) and jobs.find(self.training_job_name):
            _wait(self, jobs, timeout, logs=bool(logs))
        else:
            sdks_own(self, poll=poll, timeout=timeout, logs=logs)

    setattr(wait, _REPLACED, True)
    TrainingJob.wait = wait


def _clients_of(resource: Any) -> Any:
    """Returns the clients that the SDK keeps for the resource's session and region; without both, its defaults."""
    from sagemaker.core.utils.utils import SageMakerClient

    region = getattr(resource, "_region", None)  # some releases of the SDK keep no region
    return SageMakerClient(session=resource._session, region_name=region)


def _wait(resource: Any, jobs: JobLookup, timeout: int | None, *, logs: bool) -> None:
    from sagemaker.core.utils.exceptions import FailedStatusError, TimeoutExceededError

    clients = _clients_of(resource)
    region = clients.sagemaker_client.meta.region_name
    log = JobLog(clients.session.client("logs", region_name=region)) if logs else None
    try:
        for line in follow_job(jobs.queue, resource.training_job_name, log, timeout):
            print(visible(line), flush=True)
    except StillRunning as error:
        _refresh(resource, jobs)
        raise TimeoutExceededError("TrainingJob", resource.training_job_status, message=str(error)) from error
    _refresh(resource, jobs)
    if resource.training_job_status == "Failed":
        raise FailedStatusError("TrainingJob", "Failed", reason=resource.failure_reason)


def _refresh(resource: Any, jobs: JobLookup) -> None:
    """Reads the job again, because an answer in the hooks' cache may be from before the job's end."""
    jobs.forget()
    resource.refresh()
