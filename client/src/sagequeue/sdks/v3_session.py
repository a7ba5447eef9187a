"""queue_session: the session of SageMaker SDK v3 whose training jobs are queued, and a `wait` that shows the log.

v3's own `TrainingJob.wait` reads logs with a client from another session, and finds only the first attempt's streams.
It also sends the log lines to `logging`, which does not show them by default. For queued jobs, `wait` is replaced; for
other jobs, v3's own method runs.
"""

from functools import wraps
from typing import Any

import boto3
from botocore.client import BaseClient

from sagequeue.api.client import QueueClient
from sagequeue.errors import StillRunning, UnknownJob
from sagequeue.hooks.handlers import queue_of, refuse_other_region
from sagequeue.hooks.installation import forget_answers, install
from sagequeue.jobs.logs import JobLog, follow_job
from sagequeue.visible_text import visible

try:
    from sagemaker.core.helper.session_helper import Session
    from sagemaker.core.resources import TrainingJob
    from sagemaker.core.utils.exceptions import FailedStatusError, TimeoutExceededError
    from sagemaker.core.utils.utils import SageMakerClient, Unassigned
except ImportError as error:
    raise ImportError("queue_session needs version 3 of the SageMaker SDK: pip install 'sagequeue[v3]'") from error

_REPLACED = "_sagequeue"


def queue_session(
    boto_session: boto3.Session | None = None, queue: QueueClient | None = None, **arguments: Any
) -> Session:
    """Returns a v3 `Session` whose training jobs wait in the queue for their instances; `arguments` are the SDK's own.

    Raises WrongRegion, or UnsupportedSdk if the installed sagemaker-core can ignore the session.
    """
    boto_session = boto_session or boto3.Session()
    queue = queue or QueueClient(session=boto_session)
    refuse_other_region(queue, boto_session.region_name)
    install(boto_session, queue)
    for client in _kept_clients(boto_session):
        if queue_of(client) is not queue:
            install(client, queue)
    show_waits()
    return Session(boto_session=boto_session, **arguments)


def _kept_clients(boto_session: boto3.Session) -> list[BaseClient]:
    """Returns the clients that the SDK has created for this session before. It keeps them in a private cache."""
    # The public way, SageMakerClient(session=…), could make this session the SDK's default for calls without a session.
    kept = getattr(SageMakerClient, "_instances", {}).get(SageMakerClient, {})
    return [found.sagemaker_client for found in list(kept.values()) if found.session is boto_session]


def show_waits() -> None:
    """Makes `TrainingJob.wait`, and therefore `ModelTrainer.train`, show a queued job's log.

    A second call does nothing.
    """
    sdks_own = TrainingJob.wait
    if hasattr(sdks_own, _REPLACED):
        return

    @wraps(sdks_own)
    def wait(self: Any, poll: int = 5, timeout: int | None = None, logs: bool | None = False) -> None:  # noqa: FBT001, FBT002  # the SDK's own
        queue = queue_of(self._session) if self._session else None
        if queue is None or not _has(queue, self.training_job_name):
            sdks_own(self, poll=poll, timeout=timeout, logs=logs)
        else:
            _wait(self, queue, timeout, logs=bool(logs))

    setattr(wait, _REPLACED, True)
    TrainingJob.wait = wait


def _wait(resource: Any, queue: QueueClient, timeout: int | None, *, logs: bool) -> None:
    log = JobLog(resource._session.client("logs")) if logs else None
    try:
        for line in follow_job(queue, resource.training_job_name, log, timeout):
            print(visible(line), flush=True)
    except StillRunning as error:
        _refresh(resource)
        raise TimeoutExceededError("TrainingJob", resource.training_job_status, message=str(error)) from error
    _refresh(resource)
    if resource.training_job_status == "Failed":
        raise FailedStatusError("TrainingJob", "Failed", reason=resource.failure_reason)


def _refresh(resource: Any) -> None:
    """Reads the job again, because an answer in the hooks' cache may be from before the job's end."""
    forget_answers()
    resource.refresh()


def _has(queue: QueueClient, name: str) -> bool:
    try:
        queue.get(name)
    except UnknownJob:
        return False
    return True


def trainer_of(name: str, session: Session) -> Any:
    """Returns a ModelTrainer that is attached to the job and has the settings that TrainingJob returns."""
    from sagemaker.train import ModelTrainer  # a package of its own, which sessions do not need
    from sagemaker.train.configs import Compute

    job = TrainingJob.get(training_job_name=name, session=session.boto_session)
    trainer = ModelTrainer(
        role=job.role_arn,
        base_job_name=name,
        sagemaker_session=session,
        **_given(job.algorithm_specification, "training_image", "algorithm_name", "training_input_mode"),
        **_given(job, "environment", "stopping_condition", "output_data_config", "checkpoint_config"),
        **({"hyperparameters": job.hyper_parameters} if job.hyper_parameters else {}),
        compute=Compute(
            **_given(job.resource_config, "instance_type", "instance_count", "instance_groups", "volume_size_in_gb"),
            **_given(job, "enable_managed_spot_training"),
        ),
    )
    trainer._latest_training_job = job  # SDK v3 has no public attribute for it
    return trainer


def _given(shape: Any, *members: str) -> dict[str, Any]:
    found = {member: getattr(shape, member, None) for member in members}
    return {member: value for member, value in found.items() if value and not isinstance(value, Unassigned)}
