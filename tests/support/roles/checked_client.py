"""Checks each call of a client against the role of its function, as AWS does."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from support.roles.granted_permissions import Grant, Roles
from support.roles.required_permissions import StackLocation

#: Service, operation, parameters.
Check = Callable[[str, str, dict[str, Any]], None]


class Denied(AssertionError):
    """A call lacks a permission. Not a ClientError, so that the queue does not handle it as a fault of AWS."""


@dataclass
class PermissionCheck:
    """Checks the calls of `function()`; calls outside of a function pass. Raises Denied."""

    roles: Roles
    location: StackLocation
    function: Callable[[], str | None]
    _used: Counter[Grant] = field(default_factory=Counter)

    @property
    def used(self) -> Counter[str]:
        """Counts the uses of each permission."""
        used: Counter[str] = Counter()
        for grant, count in self._used.items():
            used[str(grant)] += count
        return used

    def check(self, service: str, operation: str, parameters: dict[str, Any]) -> None:
        function = self.function()
        if function is None:
            return
        for need in self.location.needs_of(service, operation, parameters):
            grant = self.roles.grant_for(function, need)
            if grant is None:
                raise Denied(f"{function} may not {need.action} on {need.resource}")
            self._used[grant] += 1


@dataclass
class CheckedClient:
    client: Any
    service: str
    check: Check
    _paginators: dict[str, Any] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        member = getattr(self.client, name)
        if name in {"meta", "exceptions"}:
            return member
        checked = self._checked(name, member)
        setattr(self, name, checked)  # the next call finds it without __getattr__
        return checked

    def get_paginator(self, operation: str) -> Any:
        if operation not in self._paginators:
            paginate = self._checked(operation, self.client.get_paginator(operation).paginate)
            self._paginators[operation] = SimpleNamespace(paginate=paginate)
        return self._paginators[operation]

    def _checked(self, name: str, send: Callable[..., Any]) -> Callable[..., Any]:
        operation = "".join(part.title() for part in name.split("_"))

        def checked(**parameters: Any) -> Any:
            self.check(self.service, operation, parameters)
            return send(**parameters)

        return checked
