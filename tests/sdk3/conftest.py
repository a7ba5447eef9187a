"""A local account, and the environment of SDK v3, which cannot live beside v2: its programs run as processes."""

from collections.abc import Iterator

import pytest

from local_account import LocalAccount, Settings, free_port


@pytest.fixture(scope="session")
def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAccount]:
    settings = Settings(port=free_port(), sagemaker_port=free_port(), startup_seconds=0.5)
    with LocalAccount(settings, home=tmp_path_factory.mktemp("account")) as account:
        yield account
