"""A local account with a small stack of its own, on free ports, for all tests of this folder."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.local_account.probe import Probe
from local_account import LocalAccount, Settings, free_port

STACK = Path(__file__).parent / "probe_stack"


@pytest.fixture(scope="package")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy, because a test changes its code."""
    return shutil.copytree(STACK, tmp_path_factory.mktemp("checkout") / "stack") / "template.yaml"


@pytest.fixture(scope="package")
def account(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAccount]:
    settings = Settings(port=free_port(), sagemaker_port=free_port(), budget="ml.m5.large=3")
    with LocalAccount(settings, home=tmp_path_factory.mktemp("account"), template=template) as account:
        yield account


@pytest.fixture
def probe(account: LocalAccount) -> Probe:
    return Probe(account)
