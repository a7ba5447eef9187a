"""Kills a cycle before or after any one of its calls."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

#: Calls that change nothing in the table: a kill beside one is a kill beside the call before it.
READS = frozenset({"get", "request", "attempt", "queued", "live", "page", "queue_length_ahead"})


class Killed(BaseException):
    """The function's process ends here. Not an Exception: no code of ours may catch it."""


@dataclass
class Fuse:
    """Blows once, at call number `at` (from 1), before the call takes effect or after it."""

    at: int
    after: bool
    calls: int = 0

    def guard(self, inner: Any) -> Any:
        return _Guarded(inner, self)

    def run(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        blows = self.calls == self.at
        if blows and not self.after:
            raise Killed
        try:
            return call(*args, **kwargs)
        finally:
            if blows:
                raise Killed


@dataclass
class _Guarded:
    inner: Any
    fuse: Fuse

    def __getattr__(self, name: str) -> Callable[..., Any]:
        call: Callable[..., Any] = getattr(self.inner, name)
        if name in READS:
            return call
        return lambda *args, **kwargs: self.fuse.run(call, *args, **kwargs)
