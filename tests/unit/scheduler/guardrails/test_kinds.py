"""Each kind of rule: the jobs that it refuses and accepts."""

from decimal import Decimal
from typing import Any

import pytest

from scheduler.core.guardrails.rules import OnFailure
from support.builders.rules import a_rule, a_subject, check, fields_of, the_rules

TYPE = {"ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 2}}
GROUPS = {
    "ResourceConfig": {
        "InstanceGroups": [
            {"InstanceGroupName": "a", "InstanceType": "ml.m5.large", "InstanceCount": 1},
            {"InstanceGroupName": "b", "InstanceType": "ml.g5.xlarge", "InstanceCount": 2},
        ]
    }
}
TEAM = {"Tags": [{"Key": "team", "Value": "vision"}]}
VPC = {"VpcConfig": {"Subnets": ["subnet-1", "subnet-2"], "SecurityGroupIds": ["sg-1"]}}
ROLE = {"RoleArn": "arn:aws:iam::123456789012:role/vision/Train"}
IMAGE = {"AlgorithmSpecification": {"TrainingImage": "123456789012.dkr.ecr.eu-west-1.amazonaws.com/train:1"}}
OUTPUT = {"OutputDataConfig": {"S3OutputPath": "s3://models/vision/run/"}}
CHECKPOINTS = {"CheckpointConfig": {"S3Uri": "s3://elsewhere/run"}}
KEYS = {"ResourceConfig": {"VolumeKmsKeyId": "key-a"}, "OutputDataConfig": {"KmsKeyId": "key-b"}}
RUNTIME = "StoppingCondition.MaxRuntimeInSeconds"
SPOT = "EnableManagedSpotTraining"
PRIORITY = {"priority": 5}


#: A container that SageMaker runs beside the training job, under its role.
EVALUATOR = {
    "RuleConfigurationName": "overfit",
    "RuleEvaluatorImage": "elsewhere/any:1",
    "InstanceType": "ml.p4d.24xlarge",
    "S3OutputPath": "s3://elsewhere/rules",
}


def runs(seconds: int) -> dict[str, Any]:
    return {"StoppingCondition": {"MaxRuntimeInSeconds": seconds}}


CASES: list[tuple[dict[str, Any], dict[str, Any], list[str]]] = [
    (a_rule("required_tags", tags={"team": {}}), TEAM, []),
    (a_rule("required_tags", tags={"team": {}}), {}, ["Tags"]),
    (a_rule("required_tags", tags={"team": {}}), {"Tags": None}, ["Tags"]),
    (a_rule("required_tags", tags={"team": {"values": ["nlp", "vision"]}}), TEAM, []),
    (a_rule("required_tags", tags={"team": {"values": ["nlp"]}}), TEAM, ["Tags"]),
    (a_rule("required_tags", tags={"team": {"pattern": "v.*"}}), TEAM, []),
    (a_rule("required_tags", tags={"team": {"pattern": "v"}}), TEAM, ["Tags"]),
    (a_rule("required_tags", tags={"team": {}, "cost": {}, "who": {}}), TEAM, ["Tags", "Tags"]),
    (a_rule("instance_types", allowed=["ml.g5.*"]), TYPE, []),
    (a_rule("instance_types", allowed=["ml.m5.*"]), TYPE, ["ResourceConfig.InstanceType"]),
    (a_rule("instance_types", allowed=["ml.m5.*"]), GROUPS, ["ResourceConfig.InstanceGroups[1].InstanceType"]),
    (
        a_rule("instance_types", allowed=["ml.g5.*"]),
        TYPE | {"DebugRuleConfigurations": [EVALUATOR]},
        ["DebugRuleConfigurations[0].InstanceType"],
    ),
    (a_rule("instances_per_job", most=2), TYPE, []),
    (a_rule("instances_per_job", most=1), TYPE, ["ResourceConfig.InstanceCount"]),
    (a_rule("instances_per_job", most=2), GROUPS, ["ResourceConfig.InstanceCount"]),
    (a_rule("max_runtime", at_most="1h"), runs(3600), []),
    (a_rule("max_runtime", at_most="1h"), runs(3601), [RUNTIME]),
    (a_rule("max_runtime", at_least="1m", at_most="1h"), runs(59), [RUNTIME]),
    (a_rule("max_runtime", at_most="1h"), {"StoppingCondition": None}, [RUNTIME]),
    (a_rule("spot", use="required"), {SPOT: True}, []),
    (a_rule("spot", use="required"), {}, [SPOT]),
    (a_rule("spot", use="forbidden"), {SPOT: True}, [SPOT]),
    (a_rule("spot", use="forbidden"), {SPOT: False}, []),
    (a_rule("keep_alive", at_most="0s"), TYPE, []),
    (
        a_rule("keep_alive", at_most="1m"),
        {"ResourceConfig": {"KeepAlivePeriodInSeconds": 61}},
        ["ResourceConfig.KeepAlivePeriodInSeconds"],
    ),
    (a_rule("vpc"), VPC, []),
    (a_rule("vpc"), {"VpcConfig": {}}, ["VpcConfig"]),
    (a_rule("vpc", subnets=["subnet-1"]), VPC, ["VpcConfig.Subnets[1]"]),
    (a_rule("vpc", security_groups=["sg-2"]), VPC, ["VpcConfig.SecurityGroupIds[0]"]),
    (a_rule("network_isolation"), {"EnableNetworkIsolation": True}, []),
    (a_rule("network_isolation"), {}, ["EnableNetworkIsolation"]),
    (a_rule("traffic_encryption"), {"EnableInterContainerTrafficEncryption": True}, []),
    (a_rule("traffic_encryption"), {}, ["EnableInterContainerTrafficEncryption"]),
    (a_rule("no_remote_debug"), {}, []),
    (
        a_rule("no_remote_debug"),
        {"RemoteDebugConfig": {"EnableRemoteDebug": True}},
        ["RemoteDebugConfig.EnableRemoteDebug"],
    ),
    (
        a_rule("images", allowed=["123456789012.dkr.ecr.*.amazonaws.com/*"]),
        IMAGE | {"DebugRuleConfigurations": None, "ProfilerRuleConfigurations": [{}, EVALUATOR]},
        ["ProfilerRuleConfigurations[1].RuleEvaluatorImage"],
    ),
    (
        a_rule("output_prefixes", allowed=["s3://models/vision"]),
        OUTPUT | {"DebugRuleConfigurations": [EVALUATOR]},
        ["DebugRuleConfigurations[0].S3OutputPath"],
    ),
    (a_rule("kms_keys", volume=["key-*"], output=["key-b"]), KEYS, []),
    (a_rule("kms_keys", volume=["key-b"]), KEYS, ["ResourceConfig.VolumeKmsKeyId"]),
    (a_rule("kms_keys", output=["key-b"]), {"OutputDataConfig": {"KmsKeyId": ""}}, ["OutputDataConfig.KmsKeyId"]),
    (a_rule("execution_roles", allowed=["arn:aws:iam::*:role/vision/*"]), ROLE, []),
    (a_rule("execution_roles", allowed=["arn:aws:iam::*:role/nlp/*"]), ROLE, ["RoleArn"]),
    (a_rule("images", allowed=["123456789012.dkr.ecr.*"]), IMAGE, []),
    (a_rule("images", allowed=["999*"]), IMAGE, ["AlgorithmSpecification.TrainingImage"]),
    (a_rule("images", allowed=["*"]), {"AlgorithmSpecification": {}}, ["AlgorithmSpecification.TrainingImage"]),
    (a_rule("output_prefixes", allowed=["s3://models/vision"]), OUTPUT, []),
    (a_rule("output_prefixes", allowed=["s3://models/vis"]), OUTPUT, ["OutputDataConfig.S3OutputPath"]),
    (a_rule("output_prefixes", allowed=["s3://models/"]), OUTPUT | CHECKPOINTS, ["CheckpointConfig.S3Uri"]),
]


@pytest.mark.parametrize(("rule", "request_", "fields"), CASES, ids=lambda value: str(value)[:60])
def test_a_rule_reports_the_fields_that_break_it(
    rule: dict[str, Any], request_: dict[str, Any], fields: list[str]
) -> None:
    verdict = check(the_rules(rule), a_subject(request_))
    assert fields_of(verdict.enforced) == fields
    assert not verdict.failed_rules
    assert all(violation.message and violation.remedy for violation in verdict.enforced)


INSTANCES, LIMIT = "ResourceConfig.InstanceCount", "StoppingCondition.MaxRuntimeInSeconds"


@pytest.mark.parametrize(
    ("limits", "dollars", "fields"),
    [
        ({"above_instances": 2}, None, []),
        ({"above_instances": 1}, None, [INSTANCES]),
        ({"above_dollars": 0.3}, Decimal("0.3"), []),
        ({"above_dollars": 0.3}, Decimal("0.31"), [LIMIT]),
        ({"above_dollars": 0.3}, None, ["ResourceConfig.InstanceType"]),
        ({"above_instances": 1, "above_dollars": 100}, Decimal(101), [INSTANCES, LIMIT]),
    ],
)
def test_a_job_above_either_limit_needs_an_approval(
    limits: dict[str, float], dollars: Decimal | None, fields: list[str]
) -> None:
    subject = a_subject({"ResourceConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 2}}, dollars=dollars)
    verdict = check(the_rules(a_rule("approval", **limits)), subject)
    assert fields_of(verdict.approvable) == fields
    assert verdict.refusals(OnFailure.CLOSED) == ()
    assert fields_of(verdict.violations(OnFailure.CLOSED)) == fields


@pytest.mark.parametrize(("priority", "fields"), [(5, []), (6, ["Tags"]), (None, [])])
def test_a_priority_above_the_ceiling_breaks_the_rule(priority: int | None, fields: list[str]) -> None:
    verdict = check(the_rules(a_rule("priority_ceiling", at_most=5)), a_subject(priority=priority))
    assert fields_of(verdict.enforced) == fields
