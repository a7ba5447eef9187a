"""The supported SageMaker SDKs: each has its own environment, and its programs run as processes."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from local_account import LocalAccount

CHECKOUT = Path(__file__).parents[2]
#: The environment of each SDK: the newest v2 is that of all other tests.
PYTHONS = {
    "v2-oldest": CHECKOUT / ".venvs/sdk2-oldest/bin/python",
    "v2": CHECKOUT / ".venv/bin/python",
    "v3": CHECKOUT / ".venvs/sdk3/bin/python",
}
PATIENCE_SECONDS = 540  # the SDKs' import alone can take many


@dataclass(frozen=True)
class Program:
    """A program of an SDK's user that runs; its errors are among its output."""

    process: "subprocess.Popen[str]"
    file: IO[str]

    def printed(self) -> str:
        """What it has printed so far."""
        return os.pread(self.file.fileno(), os.fstat(self.file.fileno()).st_size, 0).decode()

    def ended(self) -> str:
        """What it has printed, when it is over; it must succeed."""
        code = self.process.wait(PATIENCE_SECONDS)
        assert code == 0, self.printed()
        return self.printed()


@contextmanager
def started(account: LocalAccount, sdk: str, *words: str) -> Iterator[Program]:
    """The program runs as long as the block at most."""
    program, *arguments = words
    with TemporaryFile("w+") as file:
        process = subprocess.Popen(  # noqa: S603  # our own program
            [PYTHONS[sdk], "-u", "-m", f"sdks.programs.{program}", *arguments],
            cwd=CHECKOUT,
            env={**os.environ, **account.env(), **_of_this_checkout(), "SAGEMAKER_SUPPRESS_V2_WARNING": "1"},
            stdout=file,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            yield Program(process, file)
        finally:
            process.kill()
            process.wait()


def output_of(account: LocalAccount, sdk: str, *words: str) -> str:
    """What the program prints from its start to its end; it must succeed."""
    with started(account, sdk, *words) as program:
        return program.ended()


def _of_this_checkout() -> dict[str, str]:
    """The client and the programs that are tested, whichever checkout the environment was made in."""
    return {"PYTHONPATH": f"{CHECKOUT / 'client/src'}{os.pathsep}{CHECKOUT / 'tests'}"}
