"""Checks every state of the protocol's model, and that each left-out rule breaks an invariant."""

import pytest

from formal.model import DEFECTS, PROTOCOL, search


def test_no_reachable_state_violates_an_invariant() -> None:
    found = search(PROTOCOL)
    assert (found.violation, found.path) == (None, ())
    assert found.states > 1000


def test_from_every_state_all_jobs_can_be_done() -> None:
    assert search(PROTOCOL).stuck == ()


@pytest.mark.parametrize("defect", DEFECTS)
def test_without_one_rule_an_invariant_breaks(defect: str) -> None:
    replaced, broken = DEFECTS[defect]
    assert search({**PROTOCOL, replaced: broken}).violation
