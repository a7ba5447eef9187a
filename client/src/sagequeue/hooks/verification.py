"""Proves that no training job of this process goes round the queue."""

import gc
import sys
from typing import Any

from botocore.client import BaseClient

from sagequeue.errors import GoesRound
from sagequeue.hooks.handlers import PROBE, answered
from sagequeue.hooks.installation import queues
from sagequeue.hooks.sdk_versions import refuse_old_core

_APPS = (
    "sagemaker.interactive_apps.base_interactive_app",  # SDK v2
    "sagemaker.core.interactive_apps.base_interactive_app",  # SDK v3
)
_ROUND = "sagequeue:went-round"


def verify(session: Any = None) -> int:
    """Send a trial job through every SageMaker client of this process, and say how many clients there are.

    With a session (boto3's, or an SDK's) only through those that the SDKs use with it. Nothing leaves the process but a
    look at the queue: a client that is led through it answers the trial itself, and the trials of others are caught.
    Raises GoesRound, which has them as `clients`, UnsupportedSdk, or QueueUnreachable.
    """
    refuse_old_core()
    clients = clients_of(session) if session else sagemaker_clients()
    round_the_queue = [client for client in clients if _goes_round(client)]
    if round_the_queue:
        raise GoesRound(
            f"{len(round_the_queue)} of {len(clients)} SageMaker clients go round the queue.",
            "Make sessions and clients after sagequeue.install(session), or install(client) on each that exists.",
            round_the_queue,
        )
    for queue in queues():
        queue.page(limit=1)
    return len(clients)


def clients_of(session: Any) -> list[BaseClient]:
    """A new client of the session, and those that the SDKs keep for it."""
    boto_session = getattr(session, "boto_session", session)
    clients = [boto_session.client("sagemaker"), getattr(session, "sagemaker_client", None)]
    core = sys.modules.get("sagemaker.core.utils.utils")  # SDK v3's, if it is in use
    if core:
        clients.append(core.SageMakerClient(session=boto_session).sagemaker_client)
    return [client for client in clients if client]


def sagemaker_clients() -> list[BaseClient]:
    """Every client of this process that can send a training job, wherever an SDK keeps it."""
    gc.collect()  # those that nobody can use any more
    apps = _app_kinds()
    found, of_apps = [], set()
    for thing in gc.get_objects():
        # isinstance asks an object for its class, and some lazy ones then do what they put off.
        if issubclass(type(thing), BaseClient) and thing.meta.service_model.service_name == "sagemaker":
            found.append(thing)
        elif issubclass(type(thing), apps):
            of_apps.add(id(thing._sagemaker_client))
    return [client for client in found if id(client) not in of_apps]


def _app_kinds() -> tuple[type, ...]:
    """Each estimator of an SDK has some, which only open web pages, with clients of boto3's default session."""
    modules = (sys.modules.get(name) for name in _APPS)
    return tuple(module.BaseInteractiveApp for module in modules if module)


def _goes_round(client: Any) -> bool:
    events = client.meta.events
    # The last handler of all: it is reached only if none before it has answered.
    events.register_last("before-call.sagemaker.CreateTrainingJob", _catch, unique_id=_ROUND)
    try:
        answer = client.create_training_job(**_trial())
    finally:
        events.unregister("before-call.sagemaker.CreateTrainingJob", unique_id=_ROUND)
    return bool(answer["TrainingJobArn"] == _ROUND)


def _catch(**_: object) -> Any:
    return answered({"TrainingJobArn": _ROUND})


def _trial() -> dict[str, Any]:
    return {
        "TrainingJobName": PROBE,
        "AlgorithmSpecification": {"TrainingImage": "none", "TrainingInputMode": "File"},
        "RoleArn": "arn:aws:iam::000000000000:role/none",
        "OutputDataConfig": {"S3OutputPath": "s3://none"},
        "ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1},
        "StoppingCondition": {"MaxRuntimeInSeconds": 1},
    }
