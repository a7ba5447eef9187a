"""Restricts the page's server to one browser: the first browser that opens its link.

Every program and web page on this machine can reach its ports. So the link contains a secret that works once. The page
exchanges it for a token, keeps the token where only pages from this port can read it, and sends it with each call.
Browsers would also send a cookie to every other port on this machine. The headers Host and Origin, which a web page
cannot choose, reveal a foreign DNS name that points here (rebinding) and a form on a foreign page (forgery).
"""

import secrets
from threading import Lock

_NAMES = {"127.0.0.1", "localhost"}
#: Browsers omit the default HTTP port in headers.
_DEFAULT_PORT = 80


class BrowserAccess:
    """Controls access to the server on one port. Thread-safe."""

    def __init__(self, port: int) -> None:
        self._hosts = {f"{name}:{port}" for name in _NAMES}
        if port == _DEFAULT_PORT:
            self._hosts |= _NAMES
        self._link = secrets.token_urlsafe(32)
        self._link_is_used = False
        self._once = Lock()
        self._token = secrets.token_urlsafe(32)

    @property
    def link(self) -> str:
        """The path of the link, which works once. The part after # is never sent, so no log or Referer contains it."""
        return f"/#link={self._link}"

    def redeem(self, link: str) -> str | None:
        """Returns the token for the link's secret; None if the secret is wrong or was used before."""
        with self._once:
            if self._link_is_used or not _same(link, self._link):
                return None
            self._link_is_used = True
        return self._token

    def knows_host(self, host: str) -> bool:
        """Returns whether the request names this machine as its host."""
        return host in self._hosts

    def admits(self, authorization: str) -> bool:
        """Returns whether the header `Authorization` has the token."""
        return _same(authorization, f"Bearer {self._token}")

    def is_own_origin(self, origin: str) -> bool:
        """Returns whether the page itself sent the request, rather than another page in the same browser."""
        scheme, _, host = origin.partition("://")
        return scheme == "http" and self.knows_host(host)


def _same(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode(), secret.encode())
