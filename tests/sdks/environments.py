"""The supported SageMaker SDKs: each has its own environment, and its programs run as processes."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from types import MappingProxyType
from typing import IO

from local_account import LocalAccount

CHECKOUT = Path(__file__).parents[2]
#: The environment of each SDK: the newest v2 is that of all other tests.
PYTHONS = {
    "v2-oldest": CHECKOUT / ".venvs/sdk2-oldest/bin/python",
    "v2": CHECKOUT / ".venv/bin/python",
    "v3": CHECKOUT / ".venvs/sdk3/bin/python",
}
# A corpus took more than 480 beside ten other processes on two cores. A test has 1,200, including the deployment.
PATIENCE_SECONDS = 960
ABORT_SECONDS = 30
SETTINGS = {
    "SAGEMAKER_SUPPRESS_V2_WARNING": "1",
    "AWS_MAX_ATTEMPTS": "10",  # SageMaker allows one Create a second, and the queue's launches count, too
    "PYTHONFAULTHANDLER": "1",  # a program that is aborted prints the stacks of its threads
}


@dataclass(frozen=True)
class Program:
    """A program of an SDK's user that runs; its errors are among its output."""

    process: "subprocess.Popen[str]"
    file: IO[str]

    def printed(self) -> str:
        """The output so far."""
        return os.pread(self.file.fileno(), os.fstat(self.file.fileno()).st_size, 0).decode()

    def ended(self, within: float = PATIENCE_SECONDS) -> str:
        """Returns the whole output, after the end; it must succeed. If it hangs, the failure shows where."""
        try:
            code = self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGABRT)
            self.process.wait(ABORT_SECONDS)
            raise AssertionError(f"It still ran after {within} s, and was aborted:\n{self.printed()}") from None
        assert code == 0, f"It ended with {code}:\n{self.printed()}"
        return self.printed()


@contextmanager
def started(
    account: LocalAccount, sdk: str, *words: str, environment: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Program]:
    """The program runs as long as the block at most. Its environment overrides the account's."""
    program, *arguments = words
    with TemporaryFile("w+") as file:
        process = subprocess.Popen(  # noqa: S603  # our own program
            [PYTHONS[sdk], "-u", "-m", f"sdks.programs.{program}", *arguments],
            cwd=CHECKOUT,
            env={**os.environ, **account.env(), **_of_this_checkout(), **SETTINGS, **environment},
            stdout=file,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            yield Program(process, file)
        finally:
            process.kill()
            process.wait()


def output_of(
    account: LocalAccount, sdk: str, *words: str, environment: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Returns the output of the program, from its start to its end; it must succeed."""
    with started(account, sdk, *words, environment=environment) as program:
        return program.ended()


def _of_this_checkout() -> dict[str, str]:
    """The client and the programs that are tested, whichever checkout the environment was made in."""
    return {"PYTHONPATH": f"{CHECKOUT / 'client/src'}{os.pathsep}{CHECKOUT / 'tests'}"}
