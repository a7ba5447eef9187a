"""The built wheel: every module, boto3 only, Python 3.9."""

from __future__ import annotations

import subprocess
import sys
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

PACKAGE = Path(__file__).parents[3] / "client" / "preempt"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """Builds from a copy: setuptools would leave its files in the checkout, and package them again."""
    home = tmp_path_factory.mktemp("wheel")
    for path in [PACKAGE / "pyproject.toml", *PACKAGE.glob("src/sagequeue_preempt/*.*")]:
        copy = home / "source" / path.relative_to(PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(home), str(home / "source")]
    subprocess.run(command, check=True)  # noqa: S603  # our own
    return ZipFile(next(home.glob("sagequeue_preempt-*.whl")))


def test_the_wheel_has_every_module_and_its_types(wheel: ZipFile) -> None:
    sources = {path.name for path in PACKAGE.glob("src/sagequeue_preempt/*.*")}
    assert {name.rpartition("/")[2] for name in wheel.namelist() if "dist-info" not in name} == sources


def test_the_wheel_asks_for_boto3_and_python_3_9_only(wheel: ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith("METADATA"))
    metadata = message_from_bytes(wheel.read(name))
    assert metadata.get_all("Requires-Dist") == ["boto3>=1.26"]
    assert metadata["Requires-Python"] == ">=3.9"


def test_importing_the_package_loads_no_framework() -> None:
    code = "import sys, sagequeue_preempt; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603
    assert {"torch", "transformers", "lightning"}.isdisjoint(loaded.stdout.split())
