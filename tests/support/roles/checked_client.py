"""A client that sends only what its function's role allows, as on a deployed stack."""

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
    """Not a ClientError as on AWS: no code of ours may take it for one of the faults that it lives with."""


@dataclass
class PermissionCheck:
    """`function` tells who calls; nobody is not asked for permission. Raises Denied."""

    roles: Roles
    location: StackLocation
    function: Callable[[], str | None]
    _used: Counter[Grant] = field(default_factory=Counter)

    @property
    def used(self) -> Counter[str]:
        """How often each permission was."""
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
        setattr(self, name, checked)  # so that the next call finds it at once
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
