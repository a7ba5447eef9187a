"""Injects one fault before or after a chosen call of a cycle: a kill, a refusal, a user's cancel."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

#: Calls that change nothing in the table: a fault at one equals a fault at the call before it.
READS = frozenset({"get", "request", "attempt", "candidates", "live", "page", "positions", "is_first"})


class Killed(BaseException):
    """Ends the function's process. Not an Exception, so that no code in the queue catches it."""


class Fault(Protocol):
    def __call__(self) -> None: ...


class PortWrapper(Protocol):
    """Wraps a port of the cycle."""

    def wrap(self, inner: Any) -> Any: ...


@dataclass
class FaultPoint:
    """Injects the fault once, at call number `at` (from 1), before or after its effect."""

    at: int
    after: bool
    fault: Fault
    calls: int = 0

    def wrap(self, inner: Any) -> Any:
        return _Wrapped(inner, self)

    def run(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self.calls += 1
        is_due = self.calls == self.at
        if is_due and not self.after:
            self.fault()
        try:
            return call(*args, **kwargs)
        finally:
            if is_due and self.after:
                self.fault()


@dataclass
class _Wrapped:
    inner: Any
    fault_point: FaultPoint

    def __getattr__(self, name: str) -> Callable[..., Any]:
        call: Callable[..., Any] = getattr(self.inner, name)
        if name in READS:
            return call
        return lambda *args, **kwargs: self.fault_point.run(call, *args, **kwargs)
