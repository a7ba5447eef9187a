"""Remote functions on SageMaker wait in the queue, and return their results or errors."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from local_account import LocalAccount
from sdks.environments import PYTHONS, Program, started
from support.deployed.rest_api import RestApi


@pytest.fixture(scope="module")
def programs(account: LocalAccount) -> Iterator[dict[str, Program]]:
    """Those of all SDKs run beside each other: most of their time they wait."""
    with ExitStack() as stack:
        yield {sdk: stack.enter_context(started(account, sdk, "remote_calls", sdk)) for sdk in PYTHONS}


@pytest.mark.parametrize("sdk", PYTHONS)
def test_a_remote_function_gives_its_result_or_raises_its_error(
    programs: dict[str, Program], rest_api: RestApi, sdk: str
) -> None:
    output = programs[sdk].ended()
    assert "decorated: (3, 1)" in output
    assert "raised: integer division or modulo by zero" in output
    assert "executed: (2, 1)" in output
    jobs = [job["state"] for job in rest_api.jobs() if job["name"].startswith(f"remote-of-{sdk}-2")]
    assert sorted(jobs) == ["completed", "completed", "failed"]
