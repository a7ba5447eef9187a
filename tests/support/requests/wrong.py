"""Hand-written CreateTrainingJob bodies that SageMaker's API model allows, but SageMaker refuses."""

from typing import Any

LARGE, GPU = "ml.m5.large", "ml.g5.xlarge"
NETWORK = {"SecurityGroupIds": ["sg-1"], "Subnets": ["subnet-1", "subnet-2"]}
FILE_SYSTEM = {
    "FileSystemId": "fs-0123456789abcdef0",
    "FileSystemAccessMode": "ro",
    "FileSystemType": "FSxLustre",
    "DirectoryPath": "/fsx",
}


def group(name: str, count: int = 1) -> dict[str, Any]:
    return {"InstanceGroupName": name, "InstanceType": LARGE, "InstanceCount": count}


def preference(instance_type: str, count: int | None = None) -> dict[str, Any]:
    return {"InstanceType": instance_type} | ({} if count is None else {"InstanceCount": count})


def channel(name: str = "train", *, source: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    return {"ChannelName": name, "DataSource": s3() if source is None else source, **members}


def s3(kind: str = "S3Prefix", **members: Any) -> dict[str, Any]:
    return {"S3DataSource": {"S3DataType": kind, "S3Uri": "s3://bucket/data", **members}}


def _resources(**members: Any) -> dict[str, Any]:
    return {"ResourceConfig": {"InstanceType": LARGE, "InstanceCount": 1, "VolumeSizeInGB": 1} | members}


def _instances(**members: Any) -> dict[str, Any]:
    return {"ResourceConfig": {"VolumeSizeInGB": 1} | members}


def _spot(**stopping: int) -> dict[str, Any]:
    return {"EnableManagedSpotTraining": True, "StoppingCondition": stopping}


def _program(**members: Any) -> dict[str, Any]:
    return {"AlgorithmSpecification": {"TrainingInputMode": "File"} | members}


def _tags(*keys: str) -> dict[str, Any]:
    return {"Tags": [{"Key": key, "Value": "x"} for key in keys]}


def _rule(name: str) -> dict[str, Any]:
    return {"RuleConfigurationName": name, "RuleEvaluatorImage": "image"}


_MAX_WAIT = "StoppingCondition.MaxWaitTimeInSeconds"
_KEEP_ALIVE = "ResourceConfig.KeepAlivePeriodInSeconds"
_PREFERENCES = "ResourceConfig.InstancePreferences"
_FIRST_SOURCE = "InputDataConfig[0].DataSource"
_TWO = [preference(LARGE, 1), preference(GPU, 1)]
_PLACED = {"PlacementSpecifications": [{"InstanceCount": 0}]}
_WAITING = {"MaxRuntimeInSeconds": 60, "MaxWaitTimeInSeconds": 60}

#: The difference from a good request, and the field that a refusal names.
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "spot without a wait": (_spot(MaxRuntimeInSeconds=3600), _MAX_WAIT),
    "spot without any limit": (_spot(), _MAX_WAIT),
    "a wait below the run time": (_spot(MaxRuntimeInSeconds=3600, MaxWaitTimeInSeconds=3599), _MAX_WAIT),
    "a wait below the default run time": (_spot(MaxWaitTimeInSeconds=86_399), _MAX_WAIT),
    "a wait without spot": ({"StoppingCondition": _WAITING}, _MAX_WAIT),
    "a wait with spot off": ({"StoppingCondition": _WAITING, "EnableManagedSpotTraining": False}, _MAX_WAIT),
    "29 days": ({"StoppingCondition": {"MaxRuntimeInSeconds": 29 * 86_400}}, "StoppingCondition.MaxRuntimeInSeconds"),
    "29 days on spot": (
        _spot(MaxRuntimeInSeconds=29 * 86_400, MaxWaitTimeInSeconds=29 * 86_400),
        "StoppingCondition.MaxRuntimeInSeconds",
    ),
    "a tag of AWS": (_tags("aws:cloudformation:stack-name"), "Tags[0].Key"),
    "a tag of AWS in capitals": (_tags("team", "AWS:createdBy"), "Tags[1].Key"),
    "a tag twice": (_tags("team", "team"), "Tags[1].Key"),
    "a tag twice with one between": (_tags("team", "cost", "team"), "Tags[2].Key"),
    "no instances": (_instances(), "ResourceConfig.InstanceType"),
    "empty groups": (_instances(InstanceGroups=[]), "ResourceConfig.InstanceType"),
    "a count without a type": (_instances(InstanceCount=1), "ResourceConfig.InstanceType"),
    "a type without a count": (_instances(InstanceType=LARGE), "ResourceConfig.InstanceCount"),
    "a count of 0": (_resources(InstanceCount=0), "ResourceConfig.InstanceCount"),
    "a group of 0": (_instances(InstanceGroups=[group("a", 0)]), "ResourceConfig.InstanceGroups[0].InstanceCount"),
    "a type and groups": (_resources(InstanceGroups=[group("a")]), "ResourceConfig.InstanceGroups"),
    "a count and groups": (_instances(InstanceCount=1, InstanceGroups=[group("a")]), "ResourceConfig.InstanceCount"),
    "a type and preferences": (_resources(InstancePreferences=_TWO), _PREFERENCES),
    "groups and preferences": (_instances(InstanceGroups=[group("a")], InstancePreferences=_TWO), _PREFERENCES),
    "preferences on spot": (_instances(InstancePreferences=_TWO) | _spot(**_WAITING), _PREFERENCES),
    "preferences with a placement": (
        _instances(InstancePreferences=_TWO, InstancePlacementConfig={}),
        _PREFERENCES,
    ),
    "a type preferred twice": (
        _instances(InstancePreferences=[preference(LARGE, 1), preference(LARGE, 2)]),
        f"{_PREFERENCES}[1].InstanceType",
    ),
    "one preference without a count": (
        _instances(InstancePreferences=[preference(LARGE, 1), preference(GPU)]),
        f"{_PREFERENCES}[1].InstanceCount",
    ),
    "counts of each and of all": (
        _instances(InstancePreferences=_TWO, InstanceCount=1),
        f"{_PREFERENCES}[0].InstanceCount",
    ),
    "a placement of 0": (
        _resources(InstancePlacementConfig=_PLACED),
        "ResourceConfig.InstancePlacementConfig.PlacementSpecifications[0].InstanceCount",
    ),
    "a selected type": (_resources(SelectedInstanceType=LARGE), "ResourceConfig.SelectedInstanceType"),
    "a pool on spot": (_resources(KeepAlivePeriodInSeconds=600) | _spot(**_WAITING), _KEEP_ALIVE),
    "a pool of groups": (_instances(InstanceGroups=[group("a")], KeepAlivePeriodInSeconds=600), _KEEP_ALIVE),
    "no program": (_program(), "AlgorithmSpecification.TrainingImage"),
    "an image and an algorithm": (
        _program(TrainingImage="image", AlgorithmName="algorithm"),
        "AlgorithmSpecification.AlgorithmName",
    ),
    "a private registry without a VPC": (
        _program(TrainingImage="image", TrainingImageConfig={"TrainingRepositoryAccessMode": "Vpc"}),
        "VpcConfig",
    ),
    "a file system without a VPC": (
        {"InputDataConfig": [channel(source={"FileSystemDataSource": FILE_SYSTEM})]},
        f"{_FIRST_SOURCE}.FileSystemDataSource",
    ),
    "a channel without a source": ({"InputDataConfig": [channel(source={})]}, _FIRST_SOURCE),
    "two channels of one name": ({"InputDataConfig": [channel(), channel()]}, "InputDataConfig[1].ChannelName"),
    "an augmented manifest as files": (
        {"InputDataConfig": [channel(source=s3("AugmentedManifestFile"), InputMode="FastFile")]},
        f"{_FIRST_SOURCE}.S3DataSource.S3DataType",
    ),
    "compressed files": ({"InputDataConfig": [channel(CompressionType="Gzip")]}, "InputDataConfig[0].CompressionType"),
    "a channel for an unknown group": (
        {"InputDataConfig": [channel(source=s3(InstanceGroupNames=["b"]))]},
        f"{_FIRST_SOURCE}.S3DataSource.InstanceGroupNames[0]",
    ),
    "groups for one channel of two": (
        _instances(InstanceGroups=[group("a")])
        | {"InputDataConfig": [channel("code"), channel(source=s3(InstanceGroupNames=["a"]))]},
        f"{_FIRST_SOURCE}.S3DataSource.InstanceGroupNames",
    ),
    "two rules of one name": (
        {"DebugRuleConfigurations": [_rule("Overfit")], "ProfilerRuleConfigurations": [_rule("Overfit")]},
        "ProfilerRuleConfigurations[0].RuleConfigurationName",
    ),
}
