"""Checks each of a client's calls against the role of the calling function, as AWS does."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from botocore.exceptions import ClientError

from support.roles.granted_permissions import Grant, Roles
from support.roles.required_permissions import Need, StackLocation

#: The key of conditions on a tag of the resource, without the tag's key.
RESOURCE_TAG = "aws:ResourceTag"
_CHANGES_OF_JOBS = frozenset(
    {
        "sagemaker:StopTrainingJob",
        "sagemaker:UpdateTrainingJob",
        "sagemaker:StopProcessingJob",
        "sagemaker:StopHyperParameterTuningJob",
    }
)
#: Service, operation, parameters.
Check = Callable[[str, str, dict[str, Any]], None]


class Denied(AssertionError):
    """Signals a call without permission.

    It is not a ClientError, so that the queue does not handle it as an AWS fault.
    """


@dataclass
class PermissionCheck:
    """Checks the calls by `function()`. Calls that no function makes always pass. Raises Denied."""

    roles: Roles
    location: StackLocation
    function: Callable[[], str | None]
    tags_of: Callable[[str], Mapping[str, str] | None] = lambda _resource: {}  # by its ARN; None if it does not exist
    _used: Counter[Grant] = field(default_factory=Counter)

    @property
    def used(self) -> Counter[str]:
        """Counts how often each permission is used."""
        used: Counter[str] = Counter()
        for grant, count in self._used.items():
            used[str(grant)] += count
        return used

    def check(self, service: str, operation: str, parameters: dict[str, Any]) -> None:
        function = self.function()
        if function is None:
            return
        for need in self.location.needs_of(service, operation, parameters):
            grant = self.roles.grant_for(function, self._with_tags(need))
            if grant is None and self._is_gone(need):
                text = f"no identity-based policy allows the {need.action} action"
                error = {"Code": "AccessDeniedException", "Message": text}
                raise ClientError({"Error": error, "ResponseMetadata": {"HTTPStatusCode": 400}}, operation)  # type: ignore[typeddict-item]  # all that is read
            if grant is None:
                raise Denied(f"{function} may not {need.action} on {need.resource}")
            self._used[grant] += 1

    def _is_gone(self, need: Need) -> bool:
        """Returns whether AWS denies the call because the resource does not exist (aws-facts 2.67)."""
        return need.action in _CHANGES_OF_JOBS and self.tags_of(need.resource) is None

    def _with_tags(self, need: Need) -> Need:
        """Adds the resource's existing tags. AWS passes them to policy conditions if the resource exists."""
        if need.action not in _CHANGES_OF_JOBS:
            return need
        known = self.tags_of(need.resource) or {}
        tags = ((f"{RESOURCE_TAG}/{key}", value) for key, value in known.items())
        return need._replace(context=(*need.context, *tags))


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
        operation = "".join(part.title() for part in name.split("_")).replace("AutoMl", "AutoML")

        def checked(**parameters: Any) -> Any:
            self.check(self.service, operation, parameters)
            return send(**parameters)

        return checked
