"""The page's server: on the loopback interface alone, and with headers that allow nothing from outside."""

import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.ui.access import Admission
from sagequeue.ui.calls import Calls
from sagequeue.ui.log_tails import LogTails
from sagequeue.ui.messages import Answer, Asked
from sagequeue.ui.page import Page

#: The page loads nothing from elsewhere, sends nothing elsewhere, and nobody can frame it.
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_LARGEST_BODY = 10_000  # bytes: a priority is all that the page ever sends


class PageServer(ThreadingHTTPServer):
    """Port 0 is any that is free."""

    daemon_threads = True  # a browser keeps connections open

    def __init__(self, queue: QueueClient, session: boto3.Session, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        admission = Admission(self.server_port)
        self.link = f"http://127.0.0.1:{self.server_port}{admission.link}"
        self.page = Page(admission, Calls(queue, LogTails(session)))

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):  # a browser leaves whenever it likes
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    protocol_version = "HTTP/1.1"
    server_version = "sagequeue"
    sys_version = ""

    def do_GET(self) -> None:
        length = self.headers.get("Content-Length") or "0"
        if not length.isdecimal() or int(length) > _LARGEST_BODY:
            self.close_connection = True
            self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        self._send(self.server.page.answer(self._asked(self.rfile.read(int(length)))))

    do_POST = do_GET  # noqa: N815  # http.server's own naming

    def _asked(self, body: bytes) -> Asked:
        address = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        return Asked(self.command, address.path, dict(parse_qsl(address.query)), headers, body)

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in {**_HEADERS, **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *args: object) -> None:
        """Say nothing: the terminal shows the link, and a log would repeat its secret."""
