"""Starts a separate local account: the calls drain the queue, change its budget and its configuration."""

from collections.abc import Iterator

import pytest

from local_account import LocalAccount, Settings, free_port
from sagequeue import QueueClient


@pytest.fixture(scope="session")
def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAccount]:
    settings = Settings(port=free_port(), sagemaker_port=free_port(), startup_seconds=0.5)
    with LocalAccount(settings, home=tmp_path_factory.mktemp("account")) as account:
        yield account


@pytest.fixture(scope="session")
def shell(account: LocalAccount) -> Iterator[dict[str, str]]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in account.env().items():
            patch.setenv(name, value)
        yield account.env()


@pytest.fixture(scope="session")
def queue(shell: dict[str, str]) -> QueueClient:
    return QueueClient()
