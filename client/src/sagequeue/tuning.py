"""Hyperparameter tuning: SageMaker itself starts a tuner's training jobs, so they cannot wait in the queue."""

import warnings

from sagequeue.lookup import JobLookup
from sagequeue.operations import Handlers


class TuningIsNotQueued(UserWarning):
    """A tuning job went to SageMaker; its training jobs are not the queue's."""


def _warn(_jobs: JobLookup, **_: object) -> None:
    warnings.warn(
        "SageMaker starts the training jobs of a tuner itself: they do not wait in the queue, and hold instances that "
        "it did not give. To queue them, submit one job per set of hyperparameters with sagequeue.JobQueue.map.",
        TuningIsNotQueued,
        stacklevel=2,
    )


TUNING_HANDLERS: Handlers = {"before-call.sagemaker.CreateHyperParameterTuningJob": _warn}
