"""Damages requests at random places."""

from copy import deepcopy
from random import Random
from typing import Any

STRANGE_VALUES: list[Any] = [
    None, True, 0, -1, 10**400, 1.5, float("nan"),
    "", "x" * 3000, "\0", "\ud800", "../../etc", "s3://", [], [None], {}, {"": None},
]  # fmt: skip


def damage(request: dict[str, Any], chance: Random) -> None:
    """Replaces, removes or repeats one to three members, at any depth."""
    for _ in range(chance.randint(1, 3)):
        places = list(_walk(request))
        if not places:
            return
        container, key = chance.choice(places)
        match chance.choice(["replace", "replace", "remove", "repeat"]):
            case "replace":
                container[key] = deepcopy(chance.choice(STRANGE_VALUES))
            case "remove":
                del container[key]
            case "repeat" if isinstance(container[key], list):
                container[key] = container[key] * 60
            case "repeat":
                container[key] = [container[key]]


def _walk(value: Any) -> list[tuple[Any, Any]]:
    """Returns each member of a document, as a pair of its container and its key."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    return [place for key in keys for place in [(value, key), *_walk(value[key])]]
