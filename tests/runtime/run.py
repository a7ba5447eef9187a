"""Imports the functions, and runs the unit tests of their code, on their own version of Python in WebAssembly."""

import os
import sys

os.chdir("/checkout")
os.environ["AWS_DEFAULT_REGION"] = "us-east-1"
sys.dont_write_bytecode = True  # in the checkout, which belongs to the Python outside
sys.path[:0] = ["functions", "layers/scheduler/src", "/opt/python", "/tools", "tests", "client/src", "local/src", "."]

import pytest  # noqa: E402 - found in /tools
from hypothesis import settings  # noqa: E402 - same

FOLDERS = ["tests/runtime", "tests/unit/scheduler", "tests/unit/adapters", "tests/unit/functions"]
#: They need pydantic, which is not pure Python.
IGNORED = ["tests/unit/functions/test_call.py", "tests/unit/functions/test_openapi.py"]
#: WebAssembly is slow, and has no processes.
IMPOSSIBLE = ["fraction_of_the_time", "refused_before_all_are_read", "without_loading_a_parser"]

settings.register_profile("few examples", max_examples=20, deadline=None, database=None)  # elsewhere there are more
settings.load_profile("few examples")
raise SystemExit(
    pytest.main(
        [
            *(
                "-q",
                "-c",
                "/dev/null",
                "--rootdir=.",
                "--noconftest",
                "--import-mode=importlib",
                "-p",
                "no:cacheprovider",
            ),
            *("-W", "error", "-W", "ignore::pytest.PytestAssertRewriteWarning"),
            *(f"--ignore={path}" for path in IGNORED),
            *("-k", "not (" + " or ".join(IMPOSSIBLE) + ")", *FOLDERS),
        ]
    )
)
