"""The package's front door."""

import subprocess
import sys

import pytest

import sagequeue


@pytest.mark.parametrize("name", [name for name in sagequeue.__all__ if name != "QueueSession"])
def test_every_public_name_exists(name: str) -> None:
    assert getattr(sagequeue, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Queue'"):
        sagequeue.Queue  # noqa: B018  # the access is the test


def test_the_client_loads_neither_sagemaker_nor_the_command_lines_libraries() -> None:
    code = "import sys, sagequeue; sagequeue.QueueClient, sagequeue.install; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603  # own code
    assert {"sagemaker", "rich", "click"}.isdisjoint(loaded.stdout.split())
    assert "boto3" in loaded.stdout.split()
