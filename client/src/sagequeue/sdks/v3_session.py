"""queue_session: the session of SageMaker SDK v3 whose training jobs are queued."""

from typing import Any

import boto3
from botocore.client import BaseClient

from sagequeue.api.client import QueueClient
from sagequeue.hooks.handlers import queue_of, refuse_other_region
from sagequeue.hooks.installation import install

try:
    from sagemaker.core.helper.session_helper import Session
    from sagemaker.core.resources import TrainingJob
    from sagemaker.core.utils.utils import SageMakerClient, Unassigned
except ImportError as error:
    raise ImportError("queue_session needs version 3 of the SageMaker SDK: pip install 'sagequeue[v3]'") from error


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
    return Session(boto_session=boto_session, **arguments)


def _kept_clients(boto_session: boto3.Session) -> list[BaseClient]:
    """Returns the clients that the SDK has created for this session before. It keeps them in a private cache."""
    # The public way, SageMakerClient(session=…), could make this session the SDK's default for calls without a session.
    kept = getattr(SageMakerClient, "_instances", {}).get(SageMakerClient, {})
    return [found.sagemaker_client for found in list(kept.values()) if found.session is boto_session]


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
