"""Serves SageMaker's endpoint and the control API over HTTP, on a local port."""

import json
import sys
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote
from uuid import uuid4

from local_guard.rule import Guard, Request
from local_sagemaker.api.protocol import CONTENT_TYPE, Answer, refuse
from local_sagemaker.errors import AwsError, unreadable
from local_sagemaker.server.control_api import PREFIX
from local_sagemaker.server.emulator import Emulator

_LARGEST_BODY = 16 * 1024 * 1024  # the API's own limits allow requests of up to 13.7 MB
_MOST_DISCARDED = 64 * 1024


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int, emulator: Emulator, key: str, is_issued: Callable[[str], bool]) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.emulator = emulator
        self.guard = Guard(self.server_port, key, is_issued)

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):  # callers may close their connection
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 60.0  # seconds; then the server closes an idle connection

    def do_GET(self) -> None:
        self._handle(self._read)

    def do_POST(self) -> None:
        self._handle(self._control if self.path.startswith(PREFIX) else self._call)

    def do_PUT(self) -> None:
        self._handle(self._control if self.path.startswith(PREFIX) else self._read)

    def do_DELETE(self) -> None:
        self.do_PUT()

    def _handle(self, answer: Callable[[bytes], None]) -> None:
        """Answers the request.

        Refuses a caller without the key before reading the body, so that it cannot use up memory.
        """
        if refusal := self.server.guard.refuse(self._request()):
            self._refuse(AwsError(refusal.code, refusal.message, refusal.status))
            self._body(_MOST_DISCARDED)  # closing a connection with unread bytes could lose the answer
        elif (body := self._body(_LARGEST_BODY)) is None:
            self._refuse(unreadable("The request has no usable Content-Length"))
        else:
            answer(body)

    def _refuse(self, error: AwsError) -> None:
        self.close_connection = True  # the end of the request may be unknown
        self._reply(refuse(error), CONTENT_TYPE)

    def _request(self) -> Request:
        path, _, query = self.path.partition("?")
        return Request(self.command, unquote(path), query, self.headers.items())

    def _read(self, _body: bytes) -> None:
        if self.path == "/health":
            health = {"status": "ok", "jobs": self.server.emulator.count()}
            self._reply(Answer(200, json.dumps(health).encode()), "application/json")
        else:
            self._reply(refuse(unreadable("Calls are POST requests to /")), CONTENT_TYPE)

    def _call(self, body: bytes) -> None:
        answer = self.server.emulator.answer(self.headers.get("X-Amz-Target", ""), body)
        time.sleep(answer.delay_seconds)
        if answer.is_lost:
            self.close_connection = True
        else:
            self._reply(answer, CONTENT_TYPE)

    def _control(self, body: bytes) -> None:
        self._reply(self.server.emulator.control(self.command, self.path, body), "application/json")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class has this name
        """Logs nothing: nearly all request lines are the same, POST /."""

    def _body(self, most: int) -> bytes | None:
        length = self.headers.get("Content-Length", "0")
        is_usable = length.isascii() and length.isdigit() and "Transfer-Encoding" not in self.headers
        return self.rfile.read(int(length)) if is_usable and int(length) <= most else None

    def _reply(self, answer: Answer, content_type: str) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", content_type)
        self.send_header("x-amzn-RequestId", str(uuid4()))
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)
