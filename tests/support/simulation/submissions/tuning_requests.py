"""Draws the tuning jobs that users submit, and the behaviour of their trials."""

from random import Random
from typing import Any

from local_sagemaker.simulation import Workload
from support.builders.tuning_requests import a_definition, a_tuning_request
from support.simulation.submissions.training_requests import TYPES
from support.simulation.submissions.user_requests import SECRET

#: The time limit of each trial, in seconds.
TRIAL_SECONDS = 600


def random_tuning_body(random: Random, name: str) -> dict[str, Any]:
    kind = random.choice([TYPES[0], TYPES[0], TYPES[1]])
    definition = a_definition(
        StaticHyperParameters={"password": SECRET},
        ResourceConfig={"InstanceType": kind, "InstanceCount": 1, "VolumeSizeInGB": 1},
        StoppingCondition={"MaxRuntimeInSeconds": TRIAL_SECONDS},
    )
    body = a_tuning_request(
        name,
        trials=random.randint(3, 10),
        parallel=random.choice([1, 1, 2]),
        config={"Strategy": random.choice(["Bayesian", "Random"])},
        TrainingJobDefinition=definition,
        Tags=[{"Key": "priority", "Value": str(random.choice([0, 0, 0, 1]))}],
    )
    if Random(str(body)).random() < 0.5:  # noqa: S311 - a draw of its own, so that the others stay the same
        body["Tags"].append({"Key": "queue:min-parallel", "Value": "1"})
    return body


def trial_course(seed: int, request: dict[str, Any]) -> Workload:
    """Draws the behaviour of one trial from its hyperparameter."""
    rate = request["HyperParameters"]["rate"]
    random = Random(f"{seed}/{rate}")  # noqa: S311 - scripts, not secrets
    return Workload(
        trains=random.choice([20, 60, 120]),
        exit_code=random.choice([0, 0, 0, 0, 1]),
        prepares=random.choice([1, 30]),
        uploads=random.choice([1, 10]),
        heeds_stop_after=random.choice([5, 60, 60, None]),
        epochs=({"loss": float(rate)},),
    )
