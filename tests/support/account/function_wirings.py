"""The modules that put the functions together, as tests change them."""

from collections.abc import Callable
from functools import cache
from types import ModuleType

import pytest

from scheduler.ports.clock import Clock
from scheduler.wiring import change_log, config, cycle, queue, shared

WIRINGS: tuple[ModuleType, ...] = (shared, queue, cycle, change_log, config)


def use_clock(clock: Callable[[], Clock], patches: pytest.MonkeyPatch) -> None:
    """What the wirings build from now on goes by this clock. The history's asks for no time."""
    for module in WIRINGS:
        if module is not change_log:
            patches.setattr(module, "SystemClock", clock)


def clear_built(but: frozenset[str] = frozenset()) -> None:
    """As on a cold start."""
    for forget in _built(but):
        forget()


@cache
def _built(but: frozenset[str]) -> tuple[Callable[[], None], ...]:
    wired = {name: one for module in WIRINGS for name, one in vars(module).items()}
    return tuple(one.cache_clear for name, one in wired.items() if hasattr(one, "cache_clear") and name not in but)
