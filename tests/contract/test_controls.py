"""ControlStore: settings of operators are kept, and an overtaken write is refused."""

from dataclasses import replace

import pytest

from scheduler.core.documents.controls import Controls
from scheduler.core.jobs.budget import Budget
from scheduler.errors.internal import StaleControls
from scheduler.ports.config_store import ControlStore
from support.builders.jobs import GPU
from support.dynamodb.stores import Stores

SHRUNK = Budget.parse(f"{GPU}=1,ml.p5.48xlarge=0")


@pytest.fixture
def controls(stores: Stores) -> ControlStore:
    return stores.controls


def test_no_controls_are_set_at_first(controls: ControlStore) -> None:
    assert controls.read() == Controls()


def test_what_is_set_is_kept(controls: ControlStore) -> None:
    written = controls.write(Controls(SHRUNK, stop_over_budget=True, intake_open=False), by="api")
    assert written == Controls(SHRUNK, stop_over_budget=True, intake_open=False, version=1)
    assert controls.read() == written


def test_a_budget_can_be_taken_back(controls: ControlStore) -> None:
    set_once = controls.write(Controls(SHRUNK), by="api")
    controls.write(replace(set_once, budget=None), by="api")
    assert controls.read() == Controls(version=2)


def test_what_changed_meanwhile_is_not_overwritten(controls: ControlStore) -> None:
    seen = controls.read()
    drained = controls.write(replace(seen, intake_open=False), by="api")
    with pytest.raises(StaleControls):
        controls.write(replace(seen, budget=SHRUNK), by="api")
    assert controls.read() == drained
