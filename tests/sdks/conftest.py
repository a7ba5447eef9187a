"""One local account for all SDKs; its budget allows one training job of an SDK at a time."""

from collections.abc import Iterator

import boto3
import pytest
from mypy_boto3_logs import CloudWatchLogsClient
from mypy_boto3_sagemaker import SageMakerClient

from local_account import LocalAccount, Settings, free_port
from support.deployed.rest_api import RestApi
from support.deployed.waiting import PATIENT

#: For the preempted job and its beneficiary one instance; for the corpus what its programs ask for.
BUDGET = (
    "ml.m5.large=1,ml.m5.xlarge=2,ml.m5.2xlarge=1,ml.m5.4xlarge=1,ml.m5.24xlarge=1,ml.c5.9xlarge=1,ml.c5.18xlarge=4,"
    "ml.g5.xlarge=1,ml.g5.2xlarge=1,ml.g5.4xlarge=1,ml.g5.12xlarge=4,ml.p3.16xlarge=2,ml.p4d.24xlarge=2,ml.p5.48xlarge=16"
)


@pytest.fixture(scope="session")
def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAccount]:
    settings = Settings(port=free_port(), sagemaker_port=free_port(), startup_seconds=0.5, budget=BUDGET)
    with LocalAccount(settings, home=tmp_path_factory.mktemp("account")) as account:
        yield account


@pytest.fixture(scope="session")
def session(account: LocalAccount) -> Iterator[boto3.Session]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in account.env().items():
            patch.setenv(name, value)
        yield boto3.Session()


@pytest.fixture(scope="session")
def rest_api(session: boto3.Session, account: LocalAccount) -> RestApi:
    return RestApi(session, account.env()["SAGEQUEUE_API_URL"])


@pytest.fixture(scope="session")
def sagemaker(session: boto3.Session) -> SageMakerClient:
    """SageMaker itself, without the queue."""
    return session.client("sagemaker", config=PATIENT)


@pytest.fixture(scope="session")
def logs(session: boto3.Session) -> CloudWatchLogsClient:
    return session.client("logs")
