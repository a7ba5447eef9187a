"""SageMaker receives the SDK's own request, except for the attempt's name and the queue's tags."""

import json
import re
from typing import Any

import pytest
from mypy_boto3_sagemaker import SageMakerClient

from local_account import LocalAccount
from sdks.environments import output_of
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

V2 = [
    "spot_checkpoint",
    "torch_distributed",
    "smddp_vpc",
    "smdmp_mpi",
    "warm_pool",
    "horovod",
    "debugger_rules",
    "builtin_xgboost",
    "custom_image",
    "instance_groups",
    "isolated",
    "many_hyperparameters",
    "forty_eight_tags",
    "sklearn",
    "remote_debug",
    "remote_function",
]
NOT_IN_OLD_V2 = {"remote_debug"}
V3 = ["source_code", "torchrun", "all_options", "instance_preferences", "remote_function"]
# Members that DescribeTrainingJob adds to the request …
TOLD = re.compile(
    "TrainingJob(Arn|Status)|SecondaryStatus.*|.*Time|ModelArtifacts|FailureReason|.*TimeInSeconds|ResponseMetadata|"
    "WarmPoolStatus|.*EvaluationStatuses|ProfilingStatus"
)
# … and what differs from one call of a remote function to the next.
BY_CHANCE = re.compile(r"sagemaker_requirements_\w+|-----BEGIN PUBLIC KEY-----[^\"]+|\b(1-[0-9a-f]{32}|[0-9a-f]{64})\b")


@pytest.fixture(params=["v2-oldest", "v2", "v3"], scope="module")
def pairs(request: pytest.FixtureRequest, account: LocalAccount) -> list[dict[str, str]]:
    """Each program's name, and its job's names: straight and through the queue."""
    wanted = {"v2": V2, "v2-oldest": [name for name in V2 if name not in NOT_IN_OLD_V2], "v3": V3}[request.param]
    output = output_of(account, request.param, f"corpus_{request.param[:2]}", *wanted)
    lines = [json.loads(line.removeprefix("corpus ")) for line in output.splitlines() if line.startswith("corpus ")]
    assert [line["program"] for line in lines] == wanted
    return lines


def test_sagemaker_gets_the_same_request(
    pairs: list[dict[str, str]], rest_api: RestApi, sagemaker: SageMakerClient
) -> None:
    for pair in pairs:
        attempt = launched(rest_api, pair["queued"])
        straight = asked_for(sagemaker, pair["straight"], pair["straight"])
        queued = asked_for(sagemaker, attempt, pair["queued"])
        assert queued == by_the_queue(straight), pair["program"]


def launched(rest_api: RestApi, name: str) -> str:
    """The name of the job's first attempt, which SageMaker has."""
    job = eventually(lambda: rest_api.job(name), lambda job: job["state"] not in {"pending", "launching"}, within=120)
    return str(job["attempts"][0]["name"])


def asked_for(sagemaker: SageMakerClient, training_job: str, name: str) -> dict[str, Any]:
    """The request as SageMaker has it; NAME stands for what its user called it."""
    description = sagemaker.describe_training_job(TrainingJobName=training_job)
    request: dict[str, Any] = {key: value for key, value in description.items() if not TOLD.fullmatch(key)}
    resources = request["ResourceConfig"].items()
    request["ResourceConfig"] = {name: value for name, value in resources if not name.startswith("Selected")}
    request["Tags"] = sagemaker.list_tags(ResourceArn=description["TrainingJobArn"])["Tags"]
    text = json.dumps(request).replace(name, "NAME")
    found: dict[str, Any] = json.loads(BY_CHANCE.sub("BY-CHANCE", text))
    return found


def by_the_queue(request: dict[str, Any]) -> dict[str, Any]:
    """All that the queue changes (docs/use/sdk.md)."""
    ours = [{"Key": "sagequeue:job", "Value": "NAME"}, {"Key": "sagequeue:attempt", "Value": "BY-CHANCE"}]
    return {
        **request,
        # Without rules of pools nothing is kept (docs/admin/pools.md).
        "ResourceConfig": {**request["ResourceConfig"], "KeepAlivePeriodInSeconds": 0},
        "TrainingJobName": "NAME-sq-1",
        "Tags": request["Tags"] + ours,
    }


@pytest.mark.parametrize(
    ("sdk", "program", "reason"),
    [("v2", "training_plan", "TrainingPlanArn")],
)
def test_what_the_queue_cannot_run_is_refused_with_the_member_and_a_remedy(
    account: LocalAccount, sdk: str, program: str, reason: str
) -> None:
    output = output_of(account, sdk, f"corpus_{sdk}", f"{program}:refused")
    assert reason in output
    assert "accepted" not in output
