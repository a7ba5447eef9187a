"""Serves a fake of a JSON API on a port of this machine."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple, Protocol


class Call(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.raw)


class Fake(Protocol):
    def answer(self, call: Call) -> tuple[int, Any]:
        """The status and the JSON body."""


@contextmanager
def serving(fake: Fake) -> Iterator[str]:
    """Yields the URL of the fake."""
    server = _FakeServer(("127.0.0.1", 0), _handler(fake))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def serving_once(fake: Fake) -> Iterator[str]:
    """Yields the URL of a server that stops after its first answer."""
    server = HTTPServer(("127.0.0.1", 0), _handler(fake))

    def serve() -> None:
        server.handle_request()
        server.server_close()

    thread = Thread(target=serve)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    thread.join()


class _FakeServer(ThreadingHTTPServer):
    request_queue_size = 64  # a browser's page opens many connections at once; the default of 5 drops some


def _handler(fake: Fake) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, answer = fake.answer(Call(self.command, self.path, dict(self.headers), raw))
            self.send_response(status)
            if status == HTTPStatus.FOUND:
                self.send_header("Location", "/jobs")
            self.end_headers()
            self.wfile.write(answer if isinstance(answer, bytes) else json.dumps(answer).encode())

        do_POST = do_PUT = do_DELETE = do_HEAD = do_GET  # noqa: N815  # http.server's own naming

        def log_message(self, *args: object) -> None:
            """Logs nothing, to keep the output of tests short."""

    return Handler
