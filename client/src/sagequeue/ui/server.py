"""The page's HTTP server: on the loopback interface only, with headers that allow nothing from outside."""

import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.ui.access import BrowserAccess
from sagequeue.ui.calls import Answer, Calls, PageRequest
from sagequeue.ui.job_metrics import JobMetrics
from sagequeue.ui.job_trials import JobTrials
from sagequeue.ui.log_tails import LogTails
from sagequeue.ui.page import Page

#: The page loads nothing from other servers, sends nothing to them, and cannot be embedded in a frame.
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
#: Maximum bytes of a body. The largest is a configuration; the queue refuses even much smaller ones, with a remedy.
_LARGEST_BODY = 5_000_000


class PageServer(ThreadingHTTPServer):
    """Serves the page; port 0 means any free port."""

    daemon_threads = True  # a browser keeps connections open
    request_queue_size = 64  # a browser opens several at once; the default of 5 lets some hang

    def __init__(self, queue: QueueClient, session: boto3.Session, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        access = BrowserAccess(self.server_port)
        self.link = f"http://127.0.0.1:{self.server_port}{access.link}"
        self.page = Page(
            access,
            Calls(queue, LogTails(session, queue.region), JobMetrics(session, queue), JobTrials(session, queue.region)),
        )

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):  # browsers close connections at any time
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
        self._send(self.server.page.answer(self._request(self.rfile.read(int(length)))))

    do_POST = do_PUT = do_GET  # noqa: N815  # http.server's own naming

    def _request(self, body: bytes) -> PageRequest:
        address = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        return PageRequest(self.command, address.path, dict(parse_qsl(address.query)), headers, body)

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in {**_HEADERS, **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *args: object) -> None:
        """Logs nothing: the terminal shows the link, and a log would repeat its secret."""
