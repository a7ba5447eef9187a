"""Random worlds find each planted defect."""

import pytest

from support.simulation.runs.defect_search import DEFECTS, find


@pytest.mark.parametrize("name", DEFECTS)
def test_a_planted_defect_is_found(name: str) -> None:
    found = find(name)
    assert found is not None
    assert found.invariant != "no crash"
