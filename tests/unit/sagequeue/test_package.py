"""The public names of the package, and the weight of its import."""

import subprocess
import sys

import pytest

import sagequeue
from sagequeue import errors
from sagequeue.api import config_errors
from sagequeue.errors import QueueError

NEED_AN_SDK = {"QueueSession", "queue_session"}


@pytest.mark.parametrize("name", sorted({*sagequeue.__all__} - NEED_AN_SDK))
def test_every_public_name_exists(name: str) -> None:
    assert getattr(sagequeue, name).__name__ == name


def test_every_error_is_public() -> None:
    named = {**vars(errors), **vars(config_errors)}
    kinds = {name for name, value in named.items() if isinstance(value, type) and issubclass(value, QueueError)}
    assert kinds <= {*sagequeue.__all__}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Queue'"):
        sagequeue.Queue  # noqa: B018  # the access is the test


def test_the_client_loads_neither_sagemaker_nor_the_command_lines_libraries() -> None:
    code = "import sys, sagequeue; sagequeue.QueueClient, sagequeue.install; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603  # own code
    assert {"sagemaker", "rich", "click", "yaml"}.isdisjoint(loaded.stdout.split())
    assert "boto3" in loaded.stdout.split()


def test_beyond_boto3_the_client_loads_only_requests_and_what_that_needs() -> None:
    code = (
        "import sys, boto3; before = set(sys.modules); import sagequeue;"
        "sagequeue.QueueClient, sagequeue.install; print(*(set(sys.modules) - before))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()  # noqa: S603  # own code
    compiled = {name for name in loaded if "cython" in name or name.endswith("__mypyc")}  # parts of charset_normalizer
    packages = {name.partition(".")[0] for name in {*loaded} - compiled} - {*sys.stdlib_module_names}
    assert packages <= {"sagequeue", "requests", "charset_normalizer", "idna", "certifi", "urllib3", "chardet"}
    assert len(loaded) < 150
