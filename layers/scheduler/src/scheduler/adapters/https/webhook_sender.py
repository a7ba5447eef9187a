"""Sends one notice or outcome to one webhook over HTTPS, and only to an allowed host's public address."""

import socket
import ssl
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from threading import Event, Timer

from scheduler.core.history.webhooks.message import Content, body_of, headers_of
from scheduler.core.history.webhooks.public_address import is_public
from scheduler.core.history.webhooks.webhook import WebhookFormat, WebhookUrl
from scheduler.errors.internal import WebhookFailed
from scheduler.ports.clock import Clock

#: Seconds for the connection.
_CONNECT = 3.0
#: Seconds for everything that follows: the handshake, the request, and the response headers.
_EXCHANGE = 8.0
_PORT = 443


@dataclass(frozen=True, slots=True)
class Delivery:
    url: str
    format: WebhookFormat
    content: Content


@dataclass(frozen=True, slots=True)
class Network:
    """The network, in which tests replace functions or the whole request."""

    addresses_of: Callable[[str], Sequence[str]]  # resolves a host's addresses
    is_allowed: Callable[[str], bool] = is_public  # an address
    port: int = _PORT
    exchange: float = _EXCHANGE  # seconds
    trust: ssl.SSLContext = field(default_factory=ssl.create_default_context)

    def post(self, url: WebhookUrl, body: bytes, headers: Mapping[str, str]) -> int:
        """Sends a request, and returns the status of the response."""
        # The connection is to the checked address: a second look-up of the name could return another one.
        with (
            socket.create_connection((self._address_of(url.host), self.port), _CONNECT) as plain,
            _closed_after(self.exchange, plain.dup()),
            self.trust.wrap_socket(plain, server_hostname=url.host) as secure,
        ):
            connection = HTTPConnection(url.host)  # does not follow redirects
            connection.sock = secure
            connection.request("POST", url.target, body, {**headers, "Host": url.host})
            return connection.getresponse().status  # the response body is not read, whatever its size

    def _address_of(self, host: str) -> str:
        addresses = self.addresses_of(host)
        if not addresses or not all(map(self.is_allowed, addresses)):
            raise WebhookFailed("its host has an address that is not public")
        return addresses[0]


def internet() -> Network:
    return Network(_addresses_of)


@dataclass(frozen=True, slots=True)
class WebhookSender:
    hosts: Collection[str]
    secret: Callable[[], bytes]
    clock: Clock
    network: Network

    def send(self, delivery: Delivery) -> None:
        """Raises WebhookFailed unless the endpoint accepted the notice. Follows no redirects."""
        url = WebhookUrl.parse(delivery.url)
        if url.host not in self.hosts:
            raise WebhookFailed("its host is not among the stack's parameter WebhookHosts")
        body = body_of(delivery.content, delivery.format)
        headers = headers_of(delivery.content, body, self.secret(), int(self.clock.now().timestamp()))
        try:
            status = self.network.post(url, body, headers)
        except (HTTPException, OSError, UnicodeError) as error:  # UnicodeError: a label of the host is too long
            raise WebhookFailed(type(error).__name__) from None  # the error's text may quote the URL, which is secret
        if not 200 <= status < 300:
            raise WebhookFailed(f"answered {status}")


@contextmanager
def _closed_after(seconds: float, same: socket.socket) -> Iterator[None]:
    """Shuts the connection down at the deadline, even if the endpoint sends its response byte by byte.

    `same` is a duplicate socket, because the TLS socket takes over the original once the handshake begins. Raises
    TimeoutError even if part of the response has arrived.
    """
    is_late = Event()

    def shut() -> None:
        is_late.set()
        with suppress(OSError):  # the endpoint has closed the connection
            same.shutdown(socket.SHUT_RDWR)

    deadline = Timer(seconds, shut)
    deadline.start()
    with same:
        try:
            yield
        finally:
            deadline.cancel()
            if is_late.is_set():
                raise TimeoutError


def _addresses_of(host: str) -> list[str]:
    found = socket.getaddrinfo(host, _PORT, socket.AF_INET, socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]
