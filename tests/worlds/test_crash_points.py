"""Each fault at each call of a small story loses and doubles no job, and the story ends well."""

import os
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.pool import Pool

import pytest

from support.simulation.judges.checks import Violation
from support.simulation.planted_defects import arrays
from support.simulation.runs.crash_points import failures_of, faults_of, live_through
from support.simulation.runs.scenarios import STORIES, Story


@pytest.fixture(scope="module")
def cores() -> Iterator[Pool]:
    """One pool for all stories: what its processes load takes seconds."""
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        yield pool


@pytest.mark.parametrize("name", STORIES)
def test_every_fault_at_every_call(name: str, cores: Pool) -> None:
    tried, failures = failures_of(name, cores)
    assert not failures
    assert tried > 50


@pytest.mark.parametrize("plant", [arrays.create_in_two_writes, arrays.check_only_after_ends])
def test_a_planted_defect_of_arrays_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Violation):
        live_through_every_fault(STORIES["an array"])


def live_through_every_fault(story: Story) -> None:
    for fault in faults_of(story):
        live_through(story, fault)
