"""Turns estimators and model trainers into requests, and existing jobs into estimators and trainers.

No SageMaker SDK is imported to recognise its objects: a program that has such an object has imported its package.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, get_ident
from typing import Any

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.api.job_calls import named
from sagequeue.contract.jobs import TrainingRequest
from sagequeue.errors import InvalidSubmission

# Late releases of SDK v2 have the second module.
_TRAINER_MODULES = ("sagemaker.train.model_trainer", "sagemaker.modules.train.model_trainer")

_capturing = Lock()


def request_of(
    job: Any, inputs: Any = None, job_name: str | None = None, experiment_config: dict[str, str] | None = None
) -> TrainingRequest:
    """Returns the Create request that the job's SDK would send; uploads code, as the SDK does."""
    if _is_estimator(job):
        return _request_of_estimator(job, inputs, job_name, experiment_config)
    if _is_trainer(job):
        return _request_of_trainer(job, inputs, job_name)
    if isinstance(job, dict):
        request = {**job, **_given(InputDataConfig=inputs, ExperimentConfig=experiment_config)}
        return request if job_name is None else named(request, job_name)
    raise InvalidSubmission(
        f"An object of type {type(job).__name__} cannot be submitted.",
        "Submit an estimator (SDK v2), a ModelTrainer (SDK v3) or a CreateTrainingJob request.",
    )


# The next two functions import an SDK only when called: it takes seconds, and at most one of the SDKs is installed.


def attached_estimator(name: str, queue: QueueClient, session: boto3.Session) -> Any:
    from sagemaker.estimator import Estimator  # type: ignore[import-not-found,unused-ignore]  # it ships no types

    from sagequeue.sdks.v2_session import QueueSession

    return Estimator.attach(name, sagemaker_session=QueueSession(session, queue))


def attached_trainer(name: str, queue: QueueClient, session: boto3.Session) -> Any:
    from sagequeue.sdks.v3_session import queue_session, trainer_of

    return trainer_of(name, queue_session(session, queue))


def _is_estimator(job: object) -> bool:
    return _is_a(job, "sagemaker.estimator", "EstimatorBase")


def _is_trainer(job: object) -> bool:
    return any(_is_a(job, module, "ModelTrainer") for module in _TRAINER_MODULES)


def _is_a(job: object, module: str, name: str) -> bool:
    kind = getattr(sys.modules.get(module), name, None)
    return kind is not None and isinstance(job, kind)


def _request_of_estimator(
    estimator: Any, inputs: Any, job_name: str | None, experiment_config: dict[str, str] | None
) -> TrainingRequest:
    """Returns the request that `fit` would send. Every version from 2.208 passes it through the intercepted method."""
    with _captured_requests(estimator.sagemaker_session) as requests:
        estimator.fit(inputs, wait=False, job_name=job_name, experiment_config=experiment_config)
    if not requests:
        raise InvalidSubmission(
            "This estimator creates no training job: its session belongs to a pipeline.",
            "Use an ordinary sagemaker.Session.",
        )
    return requests[0]


@contextmanager
def _captured_requests(session: Any) -> Iterator[list[TrainingRequest]]:
    """Captures this thread's requests. Other threads may use the same session: their requests still go to SageMaker."""
    requests: list[TrainingRequest] = []
    own_thread = get_ident()
    with _capturing:  # otherwise two captures would replace each other's method
        sdks_own = session._intercept_create_request

        def intercept(request: TrainingRequest, *arguments: Any) -> Any:
            if get_ident() != own_thread:
                return sdks_own(request, *arguments)
            return requests.append(request)

        session._intercept_create_request = intercept
        try:
            yield requests
        finally:
            del session._intercept_create_request


def _request_of_trainer(trainer: Any, inputs: Any, job_name: str | None) -> TrainingRequest:
    # AWS's own queue client calls the same method (sagemaker.train.aws_batch).
    request: TrainingRequest = trainer._create_training_job_args(input_data_config=inputs, boto3=True)
    # Early releases of sagemaker-train wrote these two in lower case.
    tags = [{name.capitalize(): value for name, value in tag.items()} for tag in request.get("Tags", [])]
    return {**request, **_given(Tags=tags or None, TrainingJobName=job_name)}


def _given(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
