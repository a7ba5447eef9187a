"""Whatever one call of a small story comes to, nothing is lost, nothing doubled, and the story ends well."""

import pytest

from simulation.crash_points import failures_of
from simulation.scenarios import STORIES


@pytest.mark.timeout(1200)  # hundreds of worlds each, and a busy machine is not a bug
@pytest.mark.parametrize("name", STORIES)
def test_every_fault_at_every_call(name: str) -> None:
    tried, failures = failures_of(name)
    assert not failures
    assert tried > 50
