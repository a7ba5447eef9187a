"""Every module of the layer and the functions can be imported in the runtime that template.yaml declares."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

from support.checkout import CHECKOUT

_SOURCES = (CHECKOUT / "functions", CHECKOUT / "layers/scheduler/src")


def _name(module: Path) -> str:
    (source,) = (source for source in _SOURCES if module.is_relative_to(source))
    return ".".join(module.relative_to(source).with_suffix("").parts).removesuffix(".__init__")


MODULES = sorted(_name(module) for source in _SOURCES for module in source.rglob("*.py"))


def test_this_is_the_runtime_of_the_functions() -> None:
    (declared,) = re.findall(r"^ +Runtime: (\S+)$", (CHECKOUT / "template.yaml").read_text(), re.MULTILINE)
    assert f"python{sys.version_info.major}.{sys.version_info.minor}" == declared


def test_the_layer_supports_it() -> None:
    assert "scheduler.cycle.scheduler" in MODULES
    assert "schedule.handler" in MODULES


@pytest.mark.parametrize("module", MODULES)
def test_a_module_can_be_imported(module: str) -> None:
    import_module(module)
