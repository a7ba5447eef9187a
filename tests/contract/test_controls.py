"""ControlStore: operator settings are kept, and an overtaken write is refused."""

from dataclasses import replace

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.sections.controls import Controls
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


def test_earlier_controls_are_kept_the_newest_first(controls: ControlStore) -> None:
    written = [controls.write(Controls(SHRUNK), by="api")]
    for is_open in (False, True):
        written.append(controls.write(replace(written[-1], intake_open=is_open), by="api"))
    assert controls.before(3, limit=5) == [written[1], written[0]]
    assert controls.before(3, limit=1) == [written[1]]
    assert controls.before(1, limit=5) == []
    assert controls.read() == written[2]


def test_an_overtaken_write_is_not_kept_either(controls: ControlStore) -> None:
    seen = controls.read()
    drained = controls.write(replace(seen, intake_open=False), by="api")
    with pytest.raises(StaleControls):
        controls.write(replace(seen, budget=SHRUNK), by="api")
    assert controls.before(2, limit=5) == [drained]
