"""Schemathesis calls the deployed API with what docs/openapi.json allows, and with what it does not.

FUZZ_SECONDS and FUZZ_SEED make another run of it: `make test-fuzz`.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

from builders.callers import a_callers_document, an_entry
from e2e.bodies import body
from e2e.patience import eventually
from sagequeue import QueueClient

CHECKOUT = Path(__file__).parents[2]
TOOL = CHECKOUT / ".venvs" / "schemathesis" / "bin" / "schemathesis"
SECONDS = int(os.environ.get("FUZZ_SECONDS", "60"))
SEED = os.environ.get("FUZZ_SEED", "1")
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "ignored_auth",
)


@pytest.fixture
def jobs(queue: QueueClient) -> None:
    """What hooks.py leads calls to: a few run, the others wait or are held."""
    for number in range(12):
        queue.submit(body(f"fuzz-{number}", "sleep 5", priority=number), {"hold": number % 3 == 0})


@pytest.mark.timeout(SECONDS + 300)
@pytest.mark.usefixtures("jobs")
def test_no_call_fails_or_gets_an_answer_that_is_not_documented(shell: dict[str, str], tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603 - our own command
        [
            *(TOOL, "run", CHECKOUT / "docs" / "openapi.json", "--url", shell["SAGEQUEUE_API_URL"]),
            *("--phases", "examples,coverage,fuzzing,stateful", "--checks", ",".join(CHECKS)),
            *("--max-time", str(SECONDS), "--seed", SEED, "--suppress-health-check", "all"),
        ],
        cwd=tmp_path,  # it leaves its failures there
        env=os.environ | {"SCHEMATHESIS_HOOKS": str(Path(__file__).with_name("hooks.py"))},
        capture_output=True,
        text=True,
        check=False,
    )
    print(done.stdout)  # what it has covered
    assert done.returncode == 0, done.stdout + done.stderr
    (calls,) = re.findall(r"(\d+) generated", done.stdout)
    assert int(calls) > SECONDS


def test_the_queue_runs_jobs_after_all_these_calls(queue: QueueClient) -> None:
    queue.resume()
    queue.reset_budget()
    queue.apply_rules('{"format": 1, "rules": []}')
    queue.apply_callers(a_callers_document(an_entry("*")))
    queue.submit(body("afterwards", priority=9999))
    eventually(lambda: queue.get("afterwards")["state"], lambda state: state == "completed")
