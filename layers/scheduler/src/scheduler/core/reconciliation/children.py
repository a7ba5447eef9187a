"""Recognises the training jobs that SageMaker starts for tuning jobs (trials) and for AutoML jobs.

A trial's name begins with the name of its tuning job. The name alone proves nothing, because anybody can choose such a
name. Only SageMaker's description proves that the training job is a trial.
"""

import re
from collections.abc import Mapping
from typing import Any

from scheduler.core.jobs.attempt import number_in
from scheduler.core.jobs.work.kind import WorkKind

_CHILD = re.compile(r"(?P<tuning_job>.+)-[0-9]{3,}-[0-9a-f]{8}")


def may_be_child(name: str, mark: str) -> bool:
    """Returns whether the training job's name looks like a trial of one of the queue's tuning jobs."""
    match = _CHILD.fullmatch(name)
    return match is not None and number_in(match["tuning_job"], mark, WorkKind.TUNING) is not None


def tuning_job_of(description: Mapping[str, Any]) -> str:
    """Returns the name of the tuning job that started a described training job; empty if none did.

    SageMaker may write names in ARNs in lower case, so the result comes from the trial's own name.
    """
    match = _CHILD.fullmatch(description["TrainingJobName"])
    name = match["tuning_job"] if match else ""
    in_arn = str(description.get("TuningJobArn") or "").rpartition("/")[2]
    return name if name.lower() == in_arn.lower() else ""


def automl_job_of(description: Mapping[str, Any]) -> str:
    """Returns the name of the AutoML job that started a described training job; empty if none did.

    The name may be in lower case, as in its ARN. AutoML jobs' names are case-insensitive.
    """
    return str(description.get("AutoMLJobArn") or "").rpartition("/")[2]
