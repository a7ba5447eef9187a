"""What the layer leaves of botocore's data serves its clients as the whole does."""

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import botocore
import pytest
from botocore.loaders import Loader
from botocore.session import Session

LAYER = Path(__file__).parents[2] / "layers" / "scheduler"
DATA = Path(botocore.__file__).parent / "data"
PARTS = ("operations", "shapes")
CALLS = {
    "cloudwatch": "list_metrics",
    "dynamodb": "list_tables",
    "events": "list_rules",
    "logs": "describe_log_groups",
    "s3": "list_buckets",
    "sagemaker": "list_training_jobs",
    "sns": "list_topics",
    "sts": "get_caller_identity",
}


@pytest.fixture(scope="module")
def services() -> list[str]:
    (kept,) = re.findall(r"^SERVICES := (.*)$", (LAYER / "Makefile").read_text(), re.MULTILINE)
    return str(kept).split()


@pytest.fixture(scope="module")
def whole(services: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy, for botocore treats data as its own by where they are."""
    folder = tmp_path_factory.mktemp("whole")
    for known in [*DATA.glob("*.json"), *(DATA / name for name in [*services, "sqs"])]:
        (shutil.copytree if known.is_dir() else shutil.copy)(known, folder / known.name)
    return folder


@pytest.fixture(scope="module")
def lean(whole: Path, services: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lean") / "data"
    shutil.copytree(whole, folder)
    subprocess.run([sys.executable, LAYER / "lean_data.py", folder, *services], check=True)  # noqa: S603  # our own
    return folder


def test_other_services_are_left_out(lean: Path, services: list[str]) -> None:
    assert sorted(known.name for known in lean.iterdir() if known.is_dir()) == sorted(services)


@pytest.mark.parametrize("region", ["eu-west-1", "us-gov-west-1", "cn-north-1", "xx-new-1"])
def test_clients_call_the_same_endpoints(whole: Path, lean: Path, services: list[str], region: str) -> None:
    for service in services:
        assert _called(lean, service, region) == _called(whole, service, region)


def test_a_request_is_checked_by_the_same_shapes(whole: Path, lean: Path) -> None:
    known, left = _sagemaker(whole), _sagemaker(lean)
    assert [_undocumented(known[part]) for part in PARTS] == [left[part] for part in PARTS]


def test_no_documentation_is_left(whole: Path, lean: Path) -> None:
    assert len(str(_sagemaker(lean))) < len(str(_sagemaker(whole))) / 2


def _called(data: Path, service: str, region: str) -> str:
    """Where a call goes: botocore looks for it once more than when it makes the client."""
    session = Session()
    session.register_component("data_loader", _loader(data))
    session.set_credentials("none", "none")
    client: Any = session.create_client(service, region_name=region)
    return str(urlsplit(client.generate_presigned_url(CALLS[service])).netloc)


def _sagemaker(data: Path) -> dict[str, object]:
    known: dict[str, object] = _loader(data).load_service_model("sagemaker", "service-2")
    return known


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
