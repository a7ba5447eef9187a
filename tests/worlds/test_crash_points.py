"""Each fault at each call of a small story loses and doubles no job, and the story ends well."""

import os
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.pool import Pool

import pytest

from support.simulation.runs.crash_points import failures_of
from support.simulation.runs.scenarios import STORIES


@pytest.fixture(scope="module")
def cores() -> Iterator[Pool]:
    """One pool for all stories: what its processes load takes seconds."""
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        yield pool


@pytest.mark.timeout(1200)  # hundreds of worlds each, and a busy machine is not a bug
@pytest.mark.parametrize("name", STORIES)
def test_every_fault_at_every_call(name: str, cores: Pool) -> None:
    tried, failures = failures_of(name, cores)
    assert not failures
    assert tried > 50
