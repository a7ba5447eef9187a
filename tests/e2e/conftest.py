"""Deploys one local account for all end-to-end tests: the real template, by sam, real Lambdas, IAM enforced."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import pytest
from mypy_boto3_logs import CloudWatchLogsClient
from mypy_boto3_sagemaker import SageMakerClient

if TYPE_CHECKING:
    from sagequeue import QueueSession

from local_account import LocalAccount, Settings, free_port
from sagequeue import QueueClient
from support.checked_schemas import check_each_schema_once
from support.deployed.notices import Mailbox, subscribed
from support.deployed.rest_api import RestApi
from support.deployed.terminal import Terminal
from support.deployed.waiting import PATIENT, eventually

BUDGET = 2
PARAMETERS = {
    "Callbacks": "on",
    "EventBus": "default",
    "Metrics": "all",
    "GuardUnmanagedJobs": "stop",  # without rules, as in most files, no unmanaged job breaks one
}
FINISHED = {"completed", "failed", "stopped"}
check_each_schema_once()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("e2e")


@pytest.fixture(scope="session")
def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAccount]:
    settings = Settings(
        port=free_port(),
        sagemaker_port=free_port(),
        startup_seconds=0.5,
        budget=f"ml.m5.large={BUDGET},ml.g5.xlarge=15,ml.m5.large@processing=1",
        parameters=PARAMETERS,
    )
    with LocalAccount(settings, home=tmp_path_factory.mktemp("account")) as account:
        yield account


@pytest.fixture(scope="module", autouse=True)
def shell(account: LocalAccount) -> Iterator[dict[str, str]]:
    """Sets the variables of `eval "$(sagequeue local env)"` for everything made during the tests of this folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boto3, "DEFAULT_SESSION", None)  # it has the credentials of earlier tests
        patch.setenv("SAGEMAKER_SUPPRESS_V2_WARNING", "1")  # importing SDK v2 warns that there is a v3
        for name, value in account.env().items():
            patch.setenv(name, value)
        yield account.env()


@pytest.fixture(scope="module")
def rest_api(shell: dict[str, str]) -> RestApi:
    return RestApi(boto3.Session(), shell["SAGEQUEUE_API_URL"])


@pytest.fixture(scope="module")
def sagemaker(shell: dict[str, str]) -> SageMakerClient:
    """A client of SageMaker, which bypasses the queue."""
    return boto3.client("sagemaker", config=PATIENT)


@pytest.fixture(scope="module")
def logs(shell: dict[str, str]) -> CloudWatchLogsClient:
    return boto3.client("logs")


@pytest.fixture(scope="module")
def queue_session(shell: dict[str, str]) -> "QueueSession":
    from sagequeue import QueueSession  # imports SDK v2, which takes seconds and warns: only where it is used

    return QueueSession()


@pytest.fixture(scope="module")
def outputs(shell: dict[str, str]) -> dict[str, str]:
    """The outputs of the stack."""
    stack = boto3.client("cloudformation").describe_stacks(StackName="sagequeue")["Stacks"][0]
    return {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}


@pytest.fixture(scope="module")
def body_bucket(outputs: dict[str, str]) -> str:
    return outputs["BodyBucketName"]


@pytest.fixture(scope="module")
def mailbox(outputs: dict[str, str]) -> Iterator[Mailbox]:
    """Receives the notices of owners."""
    with subscribed(outputs["NoticesTopic"]) as mailbox:
        yield mailbox


@pytest.fixture
def operator(shell: dict[str, str]) -> Iterator[QueueClient]:
    """Yields the root user. Whatever happens, other tests find the configuration as it was."""
    operator = QueueClient()
    before = operator.config()["version"]
    yield operator
    operator.roll_back_config(before)


@pytest.fixture
def terminal(shell: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("COLUMNS", "110")
    monkeypatch.setattr("sagequeue.cli.progress.EVERY", 0.5)  # seconds between two polls
    monkeypatch.chdir(tmp_path)
    return Terminal(tmp_path)


@pytest.fixture(scope="module", autouse=True)
def clean_sheet(rest_api: RestApi) -> Iterator[None]:
    """Checks that each file finds the whole budget free, and leaves it free."""
    yield
    for name in unfinished(rest_api):
        rest_api.post(f"/jobs/{name}/cancel")
    eventually(lambda: unfinished(rest_api), lambda names: not names)


def unfinished(rest_api: RestApi) -> list[str]:
    return [job["name"] for job in rest_api.jobs() if job["state"] not in FINISHED]
