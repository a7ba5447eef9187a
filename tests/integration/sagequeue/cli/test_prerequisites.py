"""`sagequeue whatif --deep`: the checks of what a job needs, with moto's services and a fake of Service Quotas."""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from click.testing import Result
from moto import mock_aws

from integration.sagequeue.fakes.http import Call, serving
from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from unit.sagequeue.builders.jobs import a_request

ACCOUNT = "123456789012"
ROLE = "arn:aws:iam::123456789012:role/Training"
REGISTRY = "123456789012.dkr.ecr.eu-west-1.amazonaws.com"
TRUSTED = {"Effect": "Allow", "Principal": {"Service": "sagemaker.amazonaws.com"}, "Action": "sts:AssumeRole"}
DIGEST = "sha256:" + "0" * 64

Outcomes = dict[str, tuple[str, str]]


class Quotas:
    """Service Quotas with two pages of SageMaker's quotas."""

    def __init__(self) -> None:
        self.pages: list[dict[str, float]] = [
            {"ml.g5.xlarge for training job usage": 4, "ml.g5.xlarge for spot training job usage": 1},
            {"ml.m5.large for processing job usage": 1, "ml.p5.48xlarge for training job usage": 0},
        ]
        self.calls = 0

    def answer(self, call: Call) -> tuple[int, Any]:
        self.calls += 1
        number = int(call.body.get("NextToken", "0"))
        listed = [{"QuotaName": name, "Value": value} for name, value in self.pages[number].items()]
        more = {"NextToken": str(number + 1)} if number + 1 < len(self.pages) else {}
        return 200, {"Quotas": listed, **more}


class Denied:
    """Services that allow no call, each in the form of its answers."""

    def answer(self, call: Call) -> tuple[int, Any]:
        if "X-Amz-Target" in call.headers:
            return 400, {"__type": "AccessDeniedException", "message": "no"}
        if call.method == "HEAD":
            return 403, b""
        return 403, b"<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>"


@pytest.fixture(autouse=True)
def account(queue: FakeQueue, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeQueue]:
    """An account with everything that `whole()` needs."""
    monkeypatch.delenv("AWS_ENDPOINT_URL")
    with mock_aws():
        s3 = boto3.client("s3")
        s3.create_bucket(Bucket="bucket", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
        for key in ("train/a.csv", "manifest", "manifest-2"):
            s3.put_object(Bucket="bucket", Key=key, Body=b"x")
        trust("Training", TRUSTED)
        ecr = boto3.client("ecr")
        ecr.create_repository(repositoryName="team/train")
        manifest = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json"}
        ecr.put_image(repositoryName="team/train", imageTag="v1", imageManifest=json.dumps(manifest))
        yield queue


@pytest.fixture(autouse=True)
def quotas(monkeypatch: pytest.MonkeyPatch) -> Iterator[Quotas]:
    fake = Quotas()
    with serving(fake) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL_SERVICE_QUOTAS", url)
        yield fake


def trust(role: str, *statements: dict[str, Any]) -> None:
    policy = json.dumps({"Version": "2012-10-17", "Statement": statements})
    boto3.client("iam").create_role(RoleName=role, AssumeRolePolicyDocument=policy)


def whole(**changes: Any) -> dict[str, Any]:
    """A request of which every part exists."""
    request = {
        "AlgorithmSpecification": image(f"{REGISTRY}/team/train:v1"),
        "InputDataConfig": [channel("s3://bucket/train/")],
        "CheckpointConfig": {"S3Uri": "s3://bucket/checkpoints"},
        **changes,
    }
    return {**a_request(), **request}


def image(uri: str) -> dict[str, Any]:
    return {"TrainingImage": uri, "TrainingInputMode": "File"}


def channel(uri: str, kind: str = "S3Prefix") -> dict[str, Any]:
    return {"ChannelName": "train", "DataSource": {"S3DataSource": {"S3DataType": kind, "S3Uri": uri}}}


def tuning(*definitions: dict[str, Any]) -> dict[str, Any]:
    trials = [{"ResourceConfig": {}, **definition} for definition in definitions]
    return {"HyperParameterTuningJobName": "tune", "TrainingJobDefinitions": trials}


def deep(request: dict[str, Any], *words: str) -> Result:
    return run("whatif", "-", "--deep", *words, stdin=json.dumps(request))


def outcomes(request: dict[str, Any], *words: str) -> Outcomes:
    return outcomes_in(deep(request, "--json", *words))


def outcomes_in(result: Result) -> Outcomes:
    found = json.loads(result.stdout)["prerequisites"]
    return {each["member"]: (each["outcome"], each["message"]) for each in found}


def test_a_job_that_has_everything_has_no_problem(queue: FakeQueue) -> None:
    result = deep(whole())
    assert result.exit_code == 0, result.output
    lines = [line for line in result.stdout.splitlines() if line.startswith(("✓", "✗", "!"))]
    assert [line.split(":")[0] for line in lines] == [
        f"✓ AlgorithmSpecification.TrainingImage {REGISTRY}/team/train",
        "✓ InputDataConfig[0].DataSource.S3DataSource.S3Uri s3",
        "✓ OutputDataConfig.S3OutputPath s3",
        "✓ CheckpointConfig.S3Uri s3",
        "✓ RoleArn arn",
        "✓ ResourceConfig 1 × ml.g5.xlarge",
    ]
    assert queue.requests == {}


def test_the_json_adds_the_outcomes_to_the_forecast() -> None:
    answer = json.loads(deep(whole(), "--json").stdout)
    assert answer["behind"] == 2
    assert {each["outcome"] for each in answer["prerequisites"]} == {"ok"}
    assert "prerequisites" not in json.loads(run("whatif", "-", "--json", stdin=json.dumps(whole())).stdout)


@pytest.mark.parametrize(
    ("changes", "problems"),
    [
        (
            {
                "AlgorithmSpecification": image(f"{REGISTRY}/team/trian:v1"),
                "InputDataConfig": [channel("s3://bucket/train/"), channel("s3://bucket/trian/")],
                "OutputDataConfig": {"S3OutputPath": "s3://buckte"},
                "RoleArn": f"{ROLE}2",
            },
            {
                "AlgorithmSpecification.TrainingImage": f"account {ACCOUNT} has no repository team/trian in eu-west-1",
                "InputDataConfig[1].DataSource.S3DataSource.S3Uri": "no object has this prefix",
                "OutputDataConfig.S3OutputPath": "bucket buckte does not exist",
                "RoleArn": "account 123456789012 has no role Training2",
            },
        ),
        (
            {
                "AlgorithmSpecification": image(f"{REGISTRY}/team/train"),
                "InputDataConfig": [
                    channel("s3://bucket/manifest", "ManifestFile"),
                    channel("s3://bucket/manifes", "ManifestFile"),
                ],
                "CheckpointConfig": {"S3Uri": "s3://buckte/x"},
                "RoleArn": "arn:aws:iam::123456789012:role/teams/Training",
            },
            {
                "AlgorithmSpecification.TrainingImage": "repository team/train has no image latest",
                "InputDataConfig[1].DataSource.S3DataSource.S3Uri": "the manifest does not exist",
                "CheckpointConfig.S3Uri": "bucket buckte does not exist",
                "RoleArn": f"the role's ARN is {ROLE}",
            },
        ),
        (
            {
                "AlgorithmSpecification": image(f"{REGISTRY}/team/train@{DIGEST}"),
                "InputDataConfig": [channel("s3://buckte/train/")],
                "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": 2},
                "EnableManagedSpotTraining": True,
            },
            {
                "AlgorithmSpecification.TrainingImage": f"repository team/train has no image {DIGEST}",
                "InputDataConfig[0].DataSource.S3DataSource.S3Uri": "bucket buckte does not exist",
                "ResourceConfig": "the quota 'ml.g5.xlarge for spot training job usage' is 1",
            },
        ),
    ],
)
def test_wrong_values_are_problems_that_name_their_members(changes: dict[str, Any], problems: dict[str, str]) -> None:
    result = deep(whole(**changes), "--json")
    found = outcomes_in(result)
    assert {member: message for member, (outcome, message) in found.items() if outcome == "problem"} == problems
    assert {outcome for member, (outcome, _) in found.items() if member not in problems} == {"ok"}
    assert result.exit_code == 1


def test_a_problem_is_shown_with_its_value_and_the_next_step() -> None:
    result = deep(whole(CheckpointConfig={"S3Uri": "s3://buckte/x"}))
    assert "✗ CheckpointConfig.S3Uri s3://buckte/x: bucket buckte does not exist.\n" in result.stdout
    assert "  Create the bucket, or correct the URI.\n" in result.stdout
    assert result.exit_code == 1


@pytest.mark.usefixtures("quotas")
def test_a_name_that_no_bucket_can_have_is_a_problem() -> None:
    found = outcomes(whole(CheckpointConfig={"S3Uri": "s3://my bucket/checkpoints"}))
    assert found["CheckpointConfig.S3Uri"] == ("problem", "'my bucket' is not a valid name of a bucket")


def test_the_trust_policy_of_each_role_is_checked() -> None:
    condition = {"StringEquals": {"aws:SourceAccount": "123456789012"}}
    trust("ForEc2", {**TRUSTED, "Principal": {"Service": "ec2.amazonaws.com"}})
    trust("Denied", {**TRUSTED, "Effect": "Deny"})
    trust("Tags", {**TRUSTED, "Action": "sts:TagSession"})
    trust("Wild", {**TRUSTED, "Action": "STS:Assume*"})
    trust("Everybody", {**TRUSTED, "Principal": {"AWS": "*"}})
    trust(
        "Limited",
        {**TRUSTED, "Principal": {"Service": ["ec2.amazonaws.com", "sagemaker.amazonaws.com"]}}
        | {"Condition": condition},
    )
    names = ("ForEc2", "Denied", "Tags", "Wild", "Everybody", "Limited")
    found = outcomes(tuning(*({"RoleArn": f"arn:aws:iam::123456789012:role/{name}"} for name in names)))
    untrusted = ("problem", "its trust policy does not let SageMaker assume it")
    assert [found[f"TrainingJobDefinitions[{number}].RoleArn"] for number in range(6)] == [
        *[untrusted] * 3,
        ("ok", "exists, and trusts SageMaker"),
        ("not checked", "its trust policy does not name sagemaker.amazonaws.com, but may allow it in another way"),
        ("ok", "exists, and trusts SageMaker; the conditions of its trust policy were not checked"),
    ]


def test_every_alternative_is_compared_with_its_own_quota(quotas: Quotas) -> None:
    plans = [{"request": {"ResourceConfig": {"InstanceType": "ml.p5.48xlarge", "InstanceCount": 2}}}]
    found = outcomes(whole(), "--alternatives", json.dumps(plans))
    assert found["ResourceConfig"][0] == "ok"
    place = "options.alternatives[0].request.ResourceConfig"
    assert found[place] == ("problem", "the quota 'ml.p5.48xlarge for training job usage' is 0")
    assert quotas.calls == 2


def test_quotas_are_read_only_as_far_as_needed(quotas: Quotas) -> None:
    deep(whole())
    assert quotas.calls == 1


def test_members_that_cannot_be_checked_are_no_problems() -> None:
    result = deep(
        whole(
            AlgorithmSpecification=image("docker.io/team/train:v1"),
            RoleArn="arn:aws:iam::999999999999:role/Training",
            InputDataConfig=[channel("${jobs.prep.model}")],
            ResourceConfig={"InstanceType": "ml.g6.xlarge", "InstanceCount": 1},
        ),
        "--json",
    )
    unchecked = {member: message for member, (outcome, message) in outcomes_in(result).items() if outcome != "ok"}
    assert unchecked == {
        "AlgorithmSpecification.TrainingImage": "the image is not in a private ECR registry",
        "InputDataConfig[0].DataSource.S3DataSource.S3Uri": "its value is known only after other jobs have ended",
        "RoleArn": "your credentials are for account 123456789012, not for the role's account",
        "ResourceConfig": "Service Quotas does not list 'ml.g6.xlarge for training job usage'",
    }
    assert result.exit_code == 0


def test_instances_of_training_plans_and_preferences_are_not_compared_with_quotas(quotas: Quotas) -> None:
    plan = {"InstanceType": "ml.p5.48xlarge@winter", "InstanceCount": 1}  # as the queue names its budget line
    reserved = ("not checked", "a training plan reserves these instances")
    assert outcomes(whole(ResourceConfig=plan))["ResourceConfig"] == reserved
    preferred = {"InstancePreferences": [{"InstanceType": "ml.g5.xlarge"}], "InstanceCount": 1}
    found = outcomes(whole(ResourceConfig=preferred))
    assert found["ResourceConfig.InstancePreferences"] == ("not checked", "SageMaker selects one of these types")
    assert quotas.calls == 0


def test_a_caller_without_permissions_learns_which_to_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Denied()) as url:
        for service in ("ECR", "S3", "IAM", "SERVICE_QUOTAS"):
            monkeypatch.setenv(f"AWS_ENDPOINT_URL_{service}", url)
        result = deep(whole())
    assert result.exit_code == 0
    assert "✗" not in result.stdout
    assert [line.strip() for line in result.stdout.splitlines() if "ask for" in line] == [
        "To check it, ask for ecr:DescribeImages on repository team/train of account 123456789012.",
        "To check it, ask for s3:ListBucket on bucket bucket.",
        "To check it, ask for s3:ListBucket on bucket bucket.",
        "To check it, ask for s3:ListBucket on bucket bucket.",
        f"To check it, ask for iam:GetRole on {ROLE}.",
        "To check it, ask for servicequotas:ListServiceQuotas on *.",
    ]


def test_services_that_do_not_answer_leave_members_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    for service in ("ECR", "S3", "IAM", "SERVICE_QUOTAS", "STS"):
        monkeypatch.setenv(f"AWS_ENDPOINT_URL_{service}", "http://127.0.0.1:9")
    found = outcomes(whole())
    assert {outcome for outcome, _ in found.values()} == {"not checked"}
    assert len(found) == 6


def test_a_processing_job_and_each_definition_of_a_tuning_job_are_checked() -> None:
    processing = {
        "ProcessingJobName": "prep",
        "RoleArn": ROLE,
        "AppSpecification": {"ImageUri": f"{REGISTRY}/team/train:v2"},
        "ProcessingInputs": [
            {"InputName": "in", "S3Input": {"S3Uri": "s3://bucket/nothing", "S3DataType": "S3Prefix"}}
        ],
        "ProcessingOutputConfig": {"Outputs": [{"OutputName": "out", "S3Output": {"S3Uri": "s3://buckte/out"}}]},
        "ProcessingResources": {"ClusterConfig": {"InstanceType": "ml.m5.large", "InstanceCount": 2}},
    }
    assert [path for path, (outcome, _) in outcomes(processing).items() if outcome == "problem"] == [
        "AppSpecification.ImageUri",
        "ProcessingInputs[0].S3Input.S3Uri",
        "ProcessingOutputConfig.Outputs[0].S3Output.S3Uri",
        "ProcessingResources.ClusterConfig",
    ]
    found = outcomes(tuning(trial := {"OutputDataConfig": {"S3OutputPath": "s3://buckte/out"}}, trial))
    assert found["TrainingJobDefinitions[1].OutputDataConfig.S3OutputPath"][0] == "problem"
