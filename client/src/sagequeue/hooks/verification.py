"""Proves that no SageMaker client in this process bypasses the queue."""

import gc
import sys
from typing import Any

from botocore.client import BaseClient

from sagequeue.errors import BypassesQueue
from sagequeue.hooks.handlers import PROBE, answered
from sagequeue.hooks.installation import queues, refuse_old_core

_APPS = (
    "sagemaker.interactive_apps.base_interactive_app",  # SDK v2
    "sagemaker.core.interactive_apps.base_interactive_app",  # SDK v3
)
_BYPASSED = "sagequeue:bypassed"


def verify(session: Any = None) -> int:
    """Sends a trial job through every SageMaker client in this process, and returns the number of clients.

    With a session (boto3's or an SDK's), checks only the clients that the SDKs use with that session. Only a read of
    the queue leaves the process: clients with the queue installed answer the trial themselves, and the trials of other
    clients are intercepted. Raises BypassesQueue (which lists those clients), UnsupportedSdk or QueueUnreachable.
    """
    refuse_old_core()
    clients = clients_of(session) if session else sagemaker_clients()
    bypassing = [client for client in clients if _bypasses_queue(client)]
    if bypassing:
        raise BypassesQueue(
            f"{len(bypassing)} of {len(clients)} SageMaker clients bypass the queue.",
            "Create clients after sagequeue.install(session), or call sagequeue.install(client) for existing clients.",
            bypassing,
        )
    for queue in queues():
        queue.page(limit=1)
    return len(clients)


def clients_of(session: Any) -> list[BaseClient]:
    """Returns a new client of the session, and the clients that the SDKs keep for it."""
    boto_session = getattr(session, "boto_session", session)
    clients = [boto_session.client("sagemaker"), getattr(session, "sagemaker_client", None)]
    core = sys.modules.get("sagemaker.core.utils.utils")  # SDK v3's, if it is loaded
    if core:
        clients.append(core.SageMakerClient(session=boto_session).sagemaker_client)
    return [client for client in clients if client]


def sagemaker_clients() -> list[BaseClient]:
    """Returns every client in this process that can create a training job, wherever an SDK keeps it."""
    gc.collect()  # removes unreachable clients
    apps = _app_kinds()
    found, of_apps = [], set()
    for thing in gc.get_objects():
        # isinstance() reads an object's class, which makes some lazy objects load.
        if issubclass(type(thing), BaseClient) and thing.meta.service_model.service_name == "sagemaker":
            found.append(thing)
        elif issubclass(type(thing), apps):
            of_apps.add(id(thing._sagemaker_client))
    return [client for client in found if id(client) not in of_apps]


def _app_kinds() -> tuple[type, ...]:
    """Returns the SDKs' classes for web apps.

    Each estimator has such objects; their clients create no training jobs.
    """
    modules = (sys.modules.get(name) for name in _APPS)
    return tuple(module.BaseInteractiveApp for module in modules if module)


def _bypasses_queue(client: Any) -> bool:
    events = client.meta.events
    # The last handler: it runs only if no handler before it has answered.
    events.register_last("before-call.sagemaker.CreateTrainingJob", _intercept, unique_id=_BYPASSED)
    try:
        answer = client.create_training_job(**_trial())
    finally:
        events.unregister("before-call.sagemaker.CreateTrainingJob", unique_id=_BYPASSED)
    return bool(answer["TrainingJobArn"] == _BYPASSED)


def _intercept(**_: object) -> Any:
    return answered({"TrainingJobArn": _BYPASSED})


def _trial() -> dict[str, Any]:
    return {
        "TrainingJobName": PROBE,
        "AlgorithmSpecification": {"TrainingImage": "none", "TrainingInputMode": "File"},
        "RoleArn": "arn:aws:iam::000000000000:role/none",
        "OutputDataConfig": {"S3OutputPath": "s3://none"},
        "ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1},
        "StoppingCondition": {"MaxRuntimeInSeconds": 1},
    }
