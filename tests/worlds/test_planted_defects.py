"""Random worlds find each planted defect within a few runs."""

import pytest

from support.simulation.runs.defect_search import DEFECTS, runs_until_found


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", DEFECTS)
def test_a_planted_defect_is_found(name: str) -> None:
    found = runs_until_found(name)
    assert found is not None
    _, invariant = found
    assert invariant != "no crash"
