"""AWS's own driver scripts in a sandbox, with a package that acts like the SDK's in a job."""

import subprocess
import sys
from pathlib import Path

import pytest

from local_sagemaker.script_runner.host.sandbox import Sandbox
from local_sagemaker.script_runner.s3.inputs import adapted_script

ERRORS = 'FAILURE_REASON_PATH = "/opt/ml/output/failure"'
INVOKE = """
import sys
from {package} import errors
def main(arguments):
    with open(errors.FAILURE_REASON_PATH, "w") as file:
        file.write(" ".join(arguments))
if __name__ == "__main__":
    main(sys.argv[1:])
"""


@pytest.mark.parametrize("package", ["sagemaker.remote_function", "sagemaker.core.remote_function"])
def test_a_remote_function_writes_why_it_failed_into_the_sandbox(tmp_path: Path, package: str) -> None:
    sandbox = Sandbox(tmp_path / "it's here")
    sandbox.make()
    folder = tmp_path
    for part in package.split("."):
        folder /= part
        folder.mkdir()
        (folder / "__init__.py").touch()
    (folder / "errors.py").write_text(ERRORS)
    (folder / "invoke_function.py").write_text(INVOKE.format(package=package))
    driver = adapted_script(f'{sys.executable} -m {package}.invoke_function "$@"', sandbox)
    subprocess.run(["/bin/bash", "-c", driver, "driver", "two words", "more"], cwd=tmp_path, check=True)  # noqa: S603 - our own text
    assert sandbox.failure.read_text() == "two words more"


def test_paths_are_those_of_the_sandbox(tmp_path: Path) -> None:
    assert adapted_script("cat /opt/ml/input/x", Sandbox(tmp_path)) == f"cat {tmp_path}/opt/ml/input/x"


def test_a_call_through_another_launcher_is_unchanged(tmp_path: Path) -> None:
    torchrun = 'torchrun --nnodes 2 -m sagemaker.remote_function.invoke_function "$@"'
    assert adapted_script(torchrun, Sandbox(tmp_path)) == torchrun
