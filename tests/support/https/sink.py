"""Runs an HTTPS endpoint on loopback, with a certificate for a public name, and keeps the requests that it gets."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from scheduler.adapters.https.webhook_sender import Network

HOST, OTHER_HOST = "hooks.example.org", "other.example.org"
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Received:
    host: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Sink:
    """Answers each request with the status that `answer` returns. For None, closes the connection without an answer."""

    port: int = 0
    received: list[Received] = field(default_factory=list)
    answer: Callable[[Received], int | None] = lambda _request: 204
    hangs_on: str = "nothing"  # the path on which it answers only when it is released
    dripped: int = 0
    drips_on: str = "nothing"  # the path on which the answer's headers never end
    is_released: Event = field(default_factory=Event)

    def network(self) -> Network:
        """Returns a network in which every host name leads to this endpoint, and loopback addresses are allowed."""
        return Network(
            addresses_of=lambda _host: [LOOPBACK],
            is_allowed=lambda address: address == LOOPBACK,
            port=self.port,
            trust=ssl.create_default_context(cadata=_certificate()[0]),
        )


@contextmanager
def sink() -> Iterator[Sink]:
    """Runs an endpoint."""
    found = Sink()
    server = _Server((LOOPBACK, 0), _handler_of(found))
    found.port = server.server_port
    server.socket = _context().wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield found
    finally:
        found.is_released.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64  # a batch connects at once


def _handler_of(found: Sink) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = Received(self.headers["Host"], self.path, dict(self.headers), body)
            found.received.append(request)
            if self.path == found.hangs_on:
                found.is_released.wait()
            if self.path == found.drips_on:
                self._drip()
                return
            status = found.answer(request)
            if status is None:
                self.close_connection = True
                return
            self.send_response(status)
            self.send_header("Location", f"https://{OTHER_HOST}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def _drip(self) -> None:
            """Sends one byte every 20 ms for as long as the client reads."""
            self.close_connection = True
            with suppress(OSError):
                self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                while not found.is_released.wait(0.02):
                    self.wfile.write(b"x")
                    found.dripped += 1

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the class names it so
            pass

    return Handler


@cache
def _certificate() -> tuple[str, bytes]:
    """Returns a self-signed certificate for the two hosts, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    names = x509.SubjectAlternativeName([x509.DNSName(host) for host in (HOST, OTHER_HOST)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    builder = builder.add_extension(names, critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    signed = builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return signed.decode(), private


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    signed, private = _certificate()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "server.pem"
        file.write_bytes(signed.encode() + private)
        context.load_cert_chain(file)
    return context
