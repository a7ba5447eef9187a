"""The reduced botocore data serves the layer's clients as the full data does."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import botocore
import pytest
from botocore.config import Config
from botocore.loaders import Loader
from botocore.session import Session
from botocore.utils import ArgumentGenerator

from support.checkout import CHECKOUT

LAYER = CHECKOUT / "layers" / "scheduler"
OPERATIONS: dict[str, list[str]] = json.loads((LAYER / "operations.json").read_text())
DATA = Path(botocore.__file__).parent / "data"
PARTS = ("operations", "shapes")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy, for botocore treats data as its own by where they are."""
    folder = tmp_path_factory.mktemp("whole")
    for known in [*DATA.glob("*.json"), *(DATA / name for name in [*OPERATIONS, "ssm"])]:
        (shutil.copytree if known.is_dir() else shutil.copy)(known, folder / known.name)
    return folder


@pytest.fixture(scope="module")
def lean(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lean") / "data"
    shutil.copytree(whole, folder)
    files = [LAYER / "lean_data.py", folder, LAYER / "operations.json"]
    subprocess.run([sys.executable, *files], check=True)  # noqa: S603  # our own
    return folder


def test_other_services_are_left_out(lean: Path) -> None:
    assert sorted(known.name for known in lean.iterdir() if known.is_dir()) == sorted(OPERATIONS)


@pytest.mark.parametrize("region", ["eu-west-1", "us-gov-west-1", "cn-north-1", "xx-new-1"])
@pytest.mark.parametrize("service", OPERATIONS)
def test_clients_send_the_same_requests(whole: Path, lean: Path, service: str, region: str) -> None:
    assert [*_sent(lean, service, region)] == [*_sent(whole, service, region)]


@pytest.mark.parametrize("service", OPERATIONS)
def test_what_is_left_of_a_model_is_complete_and_as_it_was(whole: Path, lean: Path, service: str) -> None:
    known, left = _model(whole, service), _model(lean, service)
    assert left["operations"].keys() == set(OPERATIONS[service])
    assert left["shapes"].keys() == set(re.findall(r'"shape": "(\w+)"', json.dumps(left)))
    for part in PARTS:
        assert left[part] == {name: _undocumented(known[part][name]) for name in left[part]}
    assert {name: left[name] for name in left if name not in PARTS} == {
        name: known[name] for name in known if name not in PARTS
    }


def _sent(data: Path, service: str, region: str) -> Iterator[tuple[object, ...]]:
    """Each operation's request with all that it can say, and where it goes."""
    session = Session()
    session.register_component("data_loader", _loader(data))
    session.set_credentials("none", "none")
    unchecked = Config(parameter_validation=False)  # words of a member's name are no valid values
    client: Any = session.create_client(service, region_name=region, config=unchecked)
    sent: list[Any] = []

    def answer(params: Any, **_: object) -> tuple[SimpleNamespace, dict[str, object]]:
        sent.append(params)
        return SimpleNamespace(status_code=200), {}

    client.meta.events.register_last("before-call", answer)
    for name in OPERATIONS[service]:
        shape = client.meta.service_model.operation_model(name).input_shape
        call: Any = _said(ArgumentGenerator(use_member_names=True).generate_skeleton(shape))
        call.pop("EndpointId", None)  # an endpoint of several regions: EventBridge signs for it in another way
        client._make_api_call(name, call)
        request = sent.pop()
        yield name, request["url"], request["headers"], request["body"], request["context"].get("signing")


def _said(call: object) -> object:
    """Without members for which botocore has no example, such as bytes."""
    if isinstance(call, dict):
        return {name: _said(value) for name, value in call.items() if value is not None}
    return [_said(one) for one in call if one is not None] if isinstance(call, list) else call


def _model(data: Path, service: str) -> dict[str, Any]:
    known: dict[str, Any] = _loader(data).load_service_model(service, "service-2")
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
