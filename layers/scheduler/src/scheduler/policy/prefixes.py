"""The checkpoint prefixes in use: two live attempts on one prefix would overwrite each other (aws-facts 2.46)."""

from collections.abc import Iterator


class PrefixesInUse:
    """Finds out who uses a prefix, one around it or one inside it, without comparing it to each."""

    def __init__(self) -> None:
        self._users: dict[str, str] = {}
        self._users_inside: dict[str, str] = {}

    def add(self, uri: str | None, user: str) -> None:
        if uri is None:
            return
        self._users.setdefault(uri.rstrip("/"), user)
        for around in _self_and_parents(uri):
            self._users_inside.setdefault(around, user)

    def user_of(self, uri: str | None) -> str | None:
        """The first one whose prefix contains this one or lies in it, by whole path segments."""
        if uri is None or not self._users:
            return None
        if inside := self._users_inside.get(uri.rstrip("/")):
            return inside
        return next((self._users[around] for around in _self_and_parents(uri) if around in self._users), None)


def _self_and_parents(uri: str) -> Iterator[str]:
    uri = uri.rstrip("/")
    while uri:
        yield uri
        uri = uri.rpartition("/")[0]
