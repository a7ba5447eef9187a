"""One local account for all sweeps. Optuna has a separate environment, whose Python runs the programs."""

from collections.abc import Iterator

import boto3
import pytest

from local_account import LocalAccount, Settings, free_port
from sagequeue import QueueClient

BUDGET = 4


@pytest.fixture(scope="session")
def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAccount]:
    settings = Settings(
        port=free_port(), sagemaker_port=free_port(), startup_seconds=0.2, budget=f"ml.m5.large={BUDGET}"
    )
    with LocalAccount(settings, home=tmp_path_factory.mktemp("account")) as account:
        yield account


@pytest.fixture(scope="session")
def queue(account: LocalAccount) -> Iterator[QueueClient]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in account.env().items():
            patch.setenv(name, value)
        yield QueueClient(session=boto3.Session())
