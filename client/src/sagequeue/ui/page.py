"""Routes the page's requests to their answers, independently of sockets."""

from http import HTTPStatus
from importlib.resources import files

from sagequeue.ui.access import BrowserAccess
from sagequeue.ui.calls import Answer, Calls, PageRequest, json_answer, refusal

_TYPES = {
    "index.html": "text/html; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "hosted.json": "application/json",
}
_RESTART = "Stop `sagequeue ui` with Ctrl-C, start it again, and open the printed link."


class Page:
    def __init__(self, access: BrowserAccess, calls: Calls) -> None:
        self._access = access
        self._calls = calls

    def answer(self, request: PageRequest) -> Answer:
        """Returns the answer. A request without the token gets only the public page files, never the queue's data."""
        if not self._access.knows_host(request.headers.get("host", "")):
            return _plain(HTTPStatus.FORBIDDEN, "This page works only on this machine: use 127.0.0.1 in its address.")
        if not request.path.startswith("/api/"):
            return _file(request)
        if request.method != "GET" and not self._access.is_own_origin(request.headers.get("origin", "")):
            message = "Another page sent this request."
            return refusal(HTTPStatus.FORBIDDEN, "foreign_page", message, "Nothing was changed.")
        if (request.method, request.path) == ("POST", "/api/enter"):
            return self._enter(request.body)
        if not self._access.admits(request.headers.get("authorization", "")):
            message = "This browser has not opened the link, or the page's server was restarted."
            return refusal(HTTPStatus.UNAUTHORIZED, "no_access", message, _RESTART)
        return self._calls.answer(request)

    def _enter(self, link: bytes) -> Answer:
        found = self._access.redeem(link.decode(errors="replace"))
        if found is None:
            message = "This link was used before, or is from an earlier start of the page."
            return refusal(HTTPStatus.UNAUTHORIZED, "no_access", message, _RESTART)
        return json_answer({"pass": found})


def _file(request: PageRequest) -> Answer:
    name = request.path.removeprefix("/") or "index.html"
    if request.method != "GET" or name not in _TYPES:
        return _plain(HTTPStatus.NOT_FOUND, "No such page.")
    return Answer(HTTPStatus.OK, _TYPES[name], (files("sagequeue.ui") / "built" / name).read_bytes())


def _plain(status: int, text: str) -> Answer:
    return Answer(status, "text/plain; charset=utf-8", f"{text}\n".encode())
