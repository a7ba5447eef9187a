"""A port stays small enough to see at once what its callers need."""

from importlib import import_module
from inspect import getmembers, isclass, isfunction
from pkgutil import iter_modules

import pytest

from scheduler import ports

MOST_METHODS = 8
MODULES = [import_module(f"scheduler.ports.{module.name}") for module in iter_modules(ports.__path__)]
PORTS = sorted(
    {kind for module in MODULES for _, kind in getmembers(module, isclass) if getattr(kind, "_is_protocol", False)}
    - {object},
    key=lambda kind: kind.__name__,
)


@pytest.mark.parametrize("port", [port for port in PORTS if port.__module__.startswith("scheduler.ports")])
def test_a_port_has_few_methods(port: type) -> None:
    methods = {name for name, _ in getmembers(port, isfunction) if not name.startswith("_")}
    properties = {name for name, _ in getmembers(port, lambda member: isinstance(member, property))}
    assert len(methods | properties) <= MOST_METHODS
