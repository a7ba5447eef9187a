"""Who may talk to the page's server: the browser that opened its link.

Any program and any web page on this machine can reach a port of it. So the link holds a secret that works once; the
page gives it for a pass, keeps that where only pages of this very port can read it, and sends it with each call. A
cookie would go to every other port of this machine, too. A name that a stranger's DNS points here (rebinding) and a
form on a stranger's page (forgery) are told by the headers Host and Origin, which a web page cannot choose.
"""

import secrets
from threading import Lock

_NAMES = {"127.0.0.1", "localhost"}
#: The port of HTTP: browsers do not name it in a header.
_LEFT_OUT = 80


class Admission:
    """For the server on one port. Safe for several threads."""

    def __init__(self, port: int) -> None:
        self._hosts = {f"{name}:{port}" for name in _NAMES}
        if port == _LEFT_OUT:
            self._hosts |= _NAMES
        self._link = secrets.token_urlsafe(32)
        self._link_is_used = False
        self._once = Lock()
        self._pass = secrets.token_urlsafe(32)

    @property
    def link(self) -> str:
        """What to open first, once: behind # it is in no request, so in no log and no Referer."""
        return f"/#link={self._link}"

    def redeem(self, link: str) -> str | None:
        """The pass of whoever opens the link; None if it is another one, or was used before."""
        with self._once:
            if self._link_is_used or not _same(link, self._link):
                return None
            self._link_is_used = True
        return self._pass

    def knows_host(self, host: str) -> bool:
        """Whether the page was asked for under a name of this machine."""
        return host in self._hosts

    def admits(self, authorization: str) -> bool:
        """Whether this header `Authorization` is of a browser that opened the link."""
        return _same(authorization, f"Bearer {self._pass}")

    def is_own_origin(self, origin: str) -> bool:
        """Whether a change is asked for by the page itself, and not by another one in the same browser."""
        scheme, _, host = origin.partition("://")
        return scheme == "http" and self.knows_host(host)


def _same(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode(), secret.encode())
