"""What the layer leaves of botocore's data serves its clients as the whole does."""

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import botocore
import pytest
from botocore.loaders import Loader
from botocore.session import Session

LAYER = Path(__file__).parents[2] / "layers" / "scheduler"
WHOLE = Path(botocore.__file__).parent / "data"


@pytest.fixture(scope="module")
def services() -> list[str]:
    (kept,) = re.findall(r"^SERVICES := (.*)$", (LAYER / "Makefile").read_text(), re.MULTILINE)
    return str(kept).split()


@pytest.fixture(scope="module")
def lean(services: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("botocore") / "data"
    folder.mkdir()
    for known in [*WHOLE.glob("*.json"), *(WHOLE / name for name in [*services, "sqs"])]:
        (shutil.copytree if known.is_dir() else shutil.copy)(known, folder / known.name)
    subprocess.run([sys.executable, LAYER / "lean_data.py", folder, *services], check=True)  # noqa: S603  # our own
    return folder


def test_other_services_are_left_out(lean: Path, services: list[str]) -> None:
    assert sorted(known.name for known in lean.iterdir() if known.is_dir()) == sorted(services)


@pytest.mark.parametrize("region", ["eu-west-1", "us-gov-west-1", "cn-north-1", "xx-new-1"])
def test_clients_call_the_same_endpoints(lean: Path, services: list[str], region: str) -> None:
    for service in services:
        assert _endpoint(lean, service, region) == _endpoint(WHOLE, service, region)


def test_a_request_is_checked_by_the_same_shapes(lean: Path) -> None:
    assert _undocumented(_sagemaker(WHOLE)) == _sagemaker(lean)


def test_no_documentation_is_left(lean: Path) -> None:
    assert len(str(_sagemaker(lean))) < len(str(_sagemaker(WHOLE))) / 2


def _endpoint(data: Path, service: str, region: str) -> object:
    session = Session()
    session.register_component("data_loader", _loader(data))
    session.set_credentials("none", "none")
    return session.create_client(service, region_name=region).meta.endpoint_url


def _sagemaker(data: Path) -> object:
    return _loader(data).load_service_model("sagemaker", "service-2")


@cache
def _loader(data: Path) -> Loader:
    return Loader(extra_search_paths=[str(data)], include_default_search_paths=False)


def _undocumented(known: object) -> object:
    if isinstance(known, dict):
        return {
            name: _undocumented(value)
            for name, value in known.items()
            if name != "documentation" or not isinstance(value, str)
        }
    return [_undocumented(one) for one in known] if isinstance(known, list) else known
