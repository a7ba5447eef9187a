"""The checkpoint prefixes in use: two live attempts on one prefix would overwrite each other (aws-facts 2.46)."""

from functools import lru_cache


class PrefixesInUse:
    """Finds out who uses a prefix, one around it or one inside it, without comparing it to each."""

    def __init__(self) -> None:
        self._users: dict[str, str] = {}
        self._users_inside: dict[str, str] = {}

    def add(self, uri: str | None, user: str) -> None:
        if uri is not None:
            around = _self_and_parents(uri)
            self._users[around[0]] = user
            for prefix in around:
                self._users_inside[prefix] = user

    def user_of(self, uri: str | None) -> str | None:
        """One whose prefix contains this one or lies in it, by whole path segments."""
        if uri is None:
            return None
        around = _self_and_parents(uri)
        if inside := self._users_inside.get(around[0]):
            return inside
        return next((self._users[prefix] for prefix in around if prefix in self._users), None)


@lru_cache(maxsize=65_536)
def _self_and_parents(uri: str) -> tuple[str, ...]:
    uri = uri.rstrip("/")
    parents = []
    while uri:
        parents.append(uri)
        uri = uri.rpartition("/")[0]
    return tuple(parents)
