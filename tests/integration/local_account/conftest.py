"""A local account with its own small stack, on free ports, for all tests of this folder."""

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from integration.local_account.probe import Probe
from local_account import LocalAccount, cli, free_port
from sagequeue.cli.main import main
from support.walks import visited_files

STACK = Path(__file__).parent / "probe_stack"


@pytest.fixture(scope="package")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy, because a test changes its code."""
    return shutil.copytree(STACK, tmp_path_factory.mktemp("checkout") / "stack") / "template.yaml"


@pytest.fixture(scope="package")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("account")


@pytest.fixture(scope="package")
def files_of_up(home: Path, template: Path) -> set[str]:
    """Starts the account by `sagequeue local up`, and returns the files in which that ran."""
    ports = ("--port", str(free_port()), "--sagemaker-port", str(free_port()))
    with pytest.MonkeyPatch.context() as patch, visited_files() as files:
        patch.setattr(cli, "LocalAccount", partial(LocalAccount, template=template))
        up = CliRunner().invoke(main, ["local", "--home", str(home), "up", "--budget", "ml.m5.large=3", *ports])
    assert up.exit_code == 0, up.output
    return files


@pytest.fixture(scope="package")
def account(home: Path, template: Path, files_of_up: set[str]) -> Iterator[LocalAccount]:
    account = LocalAccount(home=home, template=template)
    yield account
    account.down()


@pytest.fixture
def probe(account: LocalAccount) -> Probe:
    return Probe(account)
