"""Generates CreateTrainingJob bodies from a seeded random generator. Most of them contain a few contradictions."""

from copy import deepcopy
from random import Random
from typing import Any

from support.account.simulated_queue import request
from support.requests.damage import damage
from support.requests.wrong import FILE_SYSTEM, GPU, LARGE, NETWORK, channel, group, preference, s3

_DAY = 86_400
_MONTH = 28 * _DAY
_TAG_KEYS = [
    "team",
    "Team",
    "cost",
    "priority",
    "queue:hold",
    "sagequeue:job",
    "owner",
    "a",
    "b",
    "équipe",
    "aws:x",
    "AWS:y",
]
_VALUES = {"priority": "3", "queue:hold": "true"}
_SOURCES = [
    {},
    {"FileSystemDataSource": FILE_SYSTEM},
    s3() | {"FileSystemDataSource": FILE_SYSTEM},
    s3("ManifestFile"),
    s3("AugmentedManifestFile", AttributeNames=["line"]),
    s3(InstanceGroupNames=["a"]),
    s3(InstanceGroupNames=["b", "c"]),
    s3(InstanceGroupNames=[]),
]


def a_body(chance: Random) -> dict[str, Any]:
    """Returns a body in which each part is either usual or odd. One body in twelve is also damaged."""
    body = request("generated") | _resources(chance) | _time(chance) | _program(chance)
    for part in (_input, _network, _tags, _debugger, _texts):
        if chance.random() < 0.25:
            body |= part(chance)
    body = deepcopy(body)  # parts of it are constants
    if chance.random() < 1 / 12:
        damage(body, chance)
    return body


def _resources(chance: Random) -> dict[str, Any]:
    kinds = chance.choices(
        [["type"], ["groups"], ["preferences"], ["type", "groups"], ["type", "preferences"], []],
        [50, 25, 20, 2, 2, 1],
    )[0]
    resources: dict[str, Any] = {"VolumeSizeInGB": 1}
    if "type" in kinds:
        resources["InstanceType"] = chance.choice([LARGE, GPU])
        resources["InstanceCount"] = _count(chance)
    if "groups" in kinds:
        resources["InstanceGroups"] = [
            group(name, _count(chance)) for name in chance.sample("abc", chance.choice([0, 1, 2, 2, 3, 3]))
        ]
    if "preferences" in kinds:
        resources |= _preferences(chance)
    for name, value in _oddities(chance):
        resources[name] = value
    return {"ResourceConfig": resources}


def _preferences(chance: Random) -> dict[str, Any]:
    types = chance.choice([[LARGE], [GPU], [LARGE, GPU], [LARGE, GPU], [GPU, LARGE], [GPU, GPU]])
    match chance.choice(["each", "each", "each", "each", "all", "all", "some", "both"]):
        case "each":
            return {"InstancePreferences": [preference(kind, _count(chance)) for kind in types]}
        case "all":
            return {"InstancePreferences": [preference(kind) for kind in types], "InstanceCount": _count(chance)}
        case "some":
            return {"InstancePreferences": [preference(kind, chance.choice([None, 1])) for kind in types]}
    return {"InstancePreferences": [preference(kind, 1) for kind in types], "InstanceCount": 1}


def _oddities(chance: Random) -> list[tuple[str, Any]]:
    """Returns members of ResourceConfig that few jobs have."""
    odd: list[tuple[str, Any]] = [
        ("SelectedInstanceCount", 1),
        ("InstanceCount", _count(chance)),
        ("InstanceGroups", []),
        ("InstanceType", ""),
        ("TrainingPlanArn", "arn:aws:sagemaker:us-east-1:123456789012:training-plan/winter"),
        ("InstancePlacementConfig", {"PlacementSpecifications": [{"InstanceCount": chance.choice([0, 1])}]}),
        ("VolumeKmsKeyId", "alias/volume"),
    ]
    keep_alive = ("KeepAlivePeriodInSeconds", chance.choice([0, 1, 600, 3600, 21_600, 21_601]))
    return [pair for pair in odd if chance.random() < 0.02] + ([keep_alive] if chance.random() < 0.15 else [])


def _time(chance: Random) -> dict[str, Any]:
    stopping = {
        "MaxRuntimeInSeconds": chance.choice([None, 1, 60, 3600, 3600, _DAY, _DAY, _MONTH, _MONTH, _MONTH + 1]),
        "MaxWaitTimeInSeconds": chance.choice([None, None, 60, 3600, _DAY, _MONTH, _MONTH + 1]),
        "MaxPendingTimeInSeconds": chance.choice([None] * 10 + [1800, 1799, _MONTH]),
    }
    spot = chance.choice([None, False, True, True])
    if chance.random() < 0.85:  # otherwise, few requests would be consistent
        stopping["MaxWaitTimeInSeconds"] = _MONTH if spot else None
    given = {name: seconds for name, seconds in stopping.items() if seconds is not None}
    return {"StoppingCondition": given} | ({} if spot is None else {"EnableManagedSpotTraining": spot})


def _program(chance: Random) -> dict[str, Any]:
    program: dict[str, Any] = {
        "TrainingImage": "image",
        "TrainingInputMode": chance.choice(["File", "Pipe", "FastFile"]),
    }
    if chance.random() < 0.03:
        program |= {"AlgorithmName": "algorithm"}
    if chance.random() < 0.03:
        program |= {"TrainingImage": ""}
    if chance.random() < 0.03:
        del program["TrainingImage"]
    if chance.random() < 0.03:
        program["TrainingImageConfig"] = {"TrainingRepositoryAccessMode": chance.choice(["Vpc", "Platform"])}
    return {"AlgorithmSpecification": program}


def _input(chance: Random) -> dict[str, Any]:
    names = chance.choices(["train", "test", "code", "more"], k=chance.choice([0, 1, 1, 2, 3]))
    return {"InputDataConfig": [_channel(name, chance) for name in names]}


def _channel(name: str, chance: Random) -> dict[str, Any]:
    more: dict[str, Any] = {
        "InputMode": chance.choice(["File", "Pipe", "FastFile"]),
        "CompressionType": chance.choice(["None", "Gzip"]),
        "RecordWrapperType": chance.choice(["None", "RecordIO"]),
        "ShuffleConfig": {"Seed": 1},
    }
    source = chance.choice(_SOURCES) if chance.random() < 0.25 else s3()
    return channel(name, source=source, **{key: value for key, value in more.items() if chance.random() < 0.2})


def _network(chance: Random) -> dict[str, Any]:
    return {"VpcConfig": NETWORK, "EnableNetworkIsolation": chance.choice([True, False])}


def _tags(chance: Random) -> dict[str, Any]:
    keys = chance.choices(_TAG_KEYS, k=chance.choice([0, 1, 1, 1, 2, 2, 3, 49]))
    return {"Tags": [{"Key": key, "Value": _VALUES.get(key, "x")} for key in keys]}


def _debugger(chance: Random) -> dict[str, Any]:
    names = iter(chance.choices("pqrstuvwxyz", k=3))
    rules = [{"RuleConfigurationName": name, "RuleEvaluatorImage": "image"} for name in names]
    cut = chance.randint(0, 3)
    interval = chance.choice([500, 500, 1000, 60_000, 0, 250])
    return {
        "DebugRuleConfigurations": rules[:cut],
        "ProfilerRuleConfigurations": rules[cut:],
        "ProfilerConfig": {"ProfilingIntervalInMilliseconds": interval},
    }


def _texts(chance: Random) -> dict[str, Any]:
    text = chance.choice(["x", "", "a b", "two\nlines", "π", "x" * 512, "x" * 2501])
    return chance.choice(
        [
            {"HyperParameters": {"key": text}},
            {"Environment": {"KEY": text}},
            {"RetryStrategy": {"MaximumRetryAttempts": chance.choice([0, 1, 30, 31])}},
            {"CheckpointConfig": {"S3Uri": "s3://bucket/c", "LocalPath": text}},
            {"OutputDataConfig": {"S3OutputPath": chance.choice(["s3://bucket", "bucket"]), "KmsKeyId": "key"}},
        ]
    )


def _count(chance: Random) -> int:
    return chance.choices([0, 1, 2], [1, 30, 10])[0]
