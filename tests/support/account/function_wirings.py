"""Lets tests replace the clock of the wiring modules, and clear their caches."""

from collections.abc import Callable
from functools import cache
from types import ModuleType

import pytest

from scheduler.ports.clock import Clock
from scheduler.wiring import callbacks, change_log, config, cycle, queue, shared, webhooks

WIRINGS: tuple[ModuleType, ...] = (shared, queue, cycle, change_log, config, callbacks, webhooks)


def use_clock(clock: Callable[[], Clock], patches: pytest.MonkeyPatch) -> None:
    """Makes the wiring modules use this clock."""
    for module in WIRINGS:
        if hasattr(module, "SystemClock"):
            patches.setattr(module, "SystemClock", clock)


def clear_built(but: frozenset[str] = frozenset()) -> None:
    """Clears all cached objects, as a cold start does."""
    for forget in _built(but):
        forget()


@cache
def _built(but: frozenset[str]) -> tuple[Callable[[], None], ...]:
    wired = {name: member for module in WIRINGS for name, member in vars(module).items()}
    cached = {name: member for name, member in wired.items() if hasattr(member, "cache_clear")}
    return tuple(member.cache_clear for name, member in cached.items() if name not in but)
