"""Builds CreateHyperParameterTuningJob requests with defaults."""

from typing import Any

ROLE = "arn:aws:iam::000000000000:role/SageMakerRole"


def a_definition(**changes: Any) -> dict[str, Any]:
    return {
        "AlgorithmSpecification": {
            "TrainingImage": "image",
            "TrainingInputMode": "File",
            "MetricDefinitions": [{"Name": "loss", "Regex": "loss=([0-9.]+)"}],
        },
        "RoleArn": ROLE,
        "StaticHyperParameters": {"epochs": "3"},
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/out"},
        "ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 1},
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
    } | changes


def a_tuning_request(name: str = "sweep", *, trials: int = 4, parallel: int = 2, **changes: Any) -> dict[str, Any]:
    """Returns a request. `config` and `limits` replace members of its configuration and of its limits."""
    config, limits = changes.pop("config", {}), changes.pop("limits", {})
    return {
        "HyperParameterTuningJobName": name,
        "HyperParameterTuningJobConfig": {
            "Strategy": "Bayesian",
            "HyperParameterTuningJobObjective": {"Type": "Minimize", "MetricName": "loss"},
            "ResourceLimits": {"MaxNumberOfTrainingJobs": trials, "MaxParallelTrainingJobs": parallel} | limits,
            "ParameterRanges": {
                "ContinuousParameterRanges": [{"Name": "rate", "MinValue": "0.001", "MaxValue": "0.1"}],
            },
            **config,
        },
        "TrainingJobDefinition": a_definition(),
    } | changes
