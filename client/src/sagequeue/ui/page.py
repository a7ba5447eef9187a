"""The page's server without its sockets: what is answered to whom."""

from http import HTTPStatus
from importlib.resources import files

from sagequeue.ui.access import Admission
from sagequeue.ui.calls import Calls
from sagequeue.ui.messages import Answer, Asked, json_answer, refusal

_TYPES = {
    "index.html": "text/html; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
_START_ANEW = "Stop `sagequeue ui` with Ctrl-C, start it again, and open the link that it prints."


class Page:
    def __init__(self, admission: Admission, calls: Calls) -> None:
        self._admission = admission
        self._calls = calls

    def answer(self, asked: Asked) -> Answer:
        """Strangers get the page as everybody has it, who installs this package, and nothing of the queue."""
        if not self._admission.knows_host(asked.headers.get("host", "")):
            return _plain(HTTPStatus.FORBIDDEN, "This page is for this machine alone: open it as 127.0.0.1.")
        if not asked.path.startswith("/api/"):
            return _file(asked)
        if asked.method != "GET" and not self._admission.is_own_origin(asked.headers.get("origin", "")):
            return refusal(HTTPStatus.FORBIDDEN, "foreign_page", "Another page asked for this.", "Nothing was done.")
        if (asked.method, asked.path) == ("POST", "/api/enter"):
            return self._let_in(asked.body)
        if not self._admission.admits(asked.headers.get("authorization", "")):
            message = "This browser did not come by the link, or the page's server was started anew."
            return refusal(HTTPStatus.UNAUTHORIZED, "not_let_in", message, _START_ANEW)
        return self._calls.answer(asked)

    def _let_in(self, link: bytes) -> Answer:
        found = self._admission.redeem(link.decode(errors="replace"))
        if found is None:
            message = "This link was used before, or is of an earlier start."
            return refusal(HTTPStatus.UNAUTHORIZED, "not_let_in", message, _START_ANEW)
        return json_answer({"pass": found})


def _file(asked: Asked) -> Answer:
    name = asked.path.removeprefix("/") or "index.html"
    if asked.method != "GET" or name not in _TYPES:
        return _plain(HTTPStatus.NOT_FOUND, "There is no such page.")
    return Answer(HTTPStatus.OK, _TYPES[name], (files("sagequeue.ui") / "built" / name).read_bytes())


def _plain(status: int, text: str) -> Answer:
    return Answer(status, "text/plain; charset=utf-8", f"{text}\n".encode())
