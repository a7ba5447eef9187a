"""What people submit at random, and how their scripts behave."""

from random import Random
from typing import Any

from local_sagemaker.simulated import Course
from simulation.gpu_use import GpuUse, use_of
from simulation.wishes import SECRET

TYPES = ("ml.m5.large", "ml.g5.xlarge")
GPU_TYPES = {"ml.g5.xlarge"}


def random_body(random: Random, name: str, spot: float = 0.2) -> dict[str, Any]:
    """`spot` is how often it asks for spot instances."""
    is_spot = random.random() < spot
    runtime = random.choice([120, 600, 3600, 86_400])
    prefix = random.choice([name, name, name, "shared"])
    kind = random.choice([*[TYPES[0]] * 3, *[TYPES[1]] * 2])
    request: dict[str, Any] = {
        "TrainingJobName": name,
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "RoleArn": "arn:aws:iam::000000000000:role/SageMakerRole",
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/out"},
        "ResourceConfig": {
            "InstanceType": kind,
            "InstanceCount": random.choice([1, 2] if kind in GPU_TYPES else [1, 1, 1, 2]),
            "VolumeSizeInGB": 1,
        },
        "StoppingCondition": {"MaxRuntimeInSeconds": runtime},
        "HyperParameters": {"password": SECRET},
        "Environment": {"TOKEN": SECRET},
        "Tags": [{"Key": "priority", "Value": str(random.choice([0, 1, 2, 5, 9]))}],
    }
    if random.random() < 0.7:
        request["CheckpointConfig"] = {"S3Uri": f"s3://bucket/checkpoints/{prefix}"}
    if random.random() < 0.2 and not is_spot:
        request["ResourceConfig"]["KeepAlivePeriodInSeconds"] = 600
    if is_spot:
        request["EnableManagedSpotTraining"] = True
        request["StoppingCondition"]["MaxWaitTimeInSeconds"] = runtime + 3600
    if random.random() < 0.2:
        request["RetryStrategy"] = {"MaximumRetryAttempts": 2}
    if random.random() < 0.1:
        request["Tags"].append({"Key": "queue:idle-exempt", "Value": "true"})
    return request


def random_course(seed: int, request: dict[str, Any]) -> Course:
    """How the scripts behave: each job in its own way, the same in each attempt."""
    job = request["TrainingJobName"].rsplit("-sq-", 1)[0]
    random = Random(f"{seed}/{job}")  # noqa: S311 - scripts, not secrets
    # One that leaves its GPUs idle does so for long enough that somebody has to see it.
    is_idle = request["ResourceConfig"]["InstanceType"] in GPU_TYPES and use_of(seed, job) is GpuUse.IDLE
    trains = 1800 if is_idle else random.choice([0, 60, 300, 600])
    return Course(
        trains=random.choice([300, 3000]) if job.startswith("theirs") else trains,
        exit_code=random.choice([0, 0, 0, 0, 1]),
        prepares=random.choice([1, 30, 60]),
        uploads=random.choice([1, 30]),
        heeds_stop_after=random.choice([5, 5, 60, None]),
    )
