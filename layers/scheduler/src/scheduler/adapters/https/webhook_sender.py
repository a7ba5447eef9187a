"""Sends one notice to one webhook over HTTPS, and only to a public address of an allowed host."""

import socket
import ssl
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from urllib3 import HTTPSConnectionPool, Timeout
from urllib3.exceptions import HTTPError

from scheduler.core.history.webhooks.message import body_of, headers_of
from scheduler.core.history.webhooks.public_address import is_public
from scheduler.core.history.webhooks.webhook import WebhookFormat, WebhookUrl
from scheduler.errors.internal import WebhookFailed
from scheduler.ports.clock import Clock

#: Seconds for the connection, and for each part of the answer. The caller limits the whole.
_PATIENCE = Timeout(connect=3, read=5)
_PORT = 443


@dataclass(frozen=True, slots=True)
class Delivery:
    url: str
    format: WebhookFormat
    content: Mapping[str, str]  # of the notice


@dataclass(frozen=True, slots=True)
class Network:
    """The part of the network that tests replace."""

    addresses_of: Callable[[str], Sequence[str]]  # of a host
    is_allowed: Callable[[str], bool] = is_public  # an address
    port: int = _PORT
    patience: Timeout = _PATIENCE
    trust: ssl.SSLContext = field(default_factory=ssl.create_default_context)


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
            status = self._post(url, body, headers)
        except (HTTPError, OSError, UnicodeError) as error:  # UnicodeError: a label of the host is too long
            raise WebhookFailed(type(error).__name__) from None  # the error's text may quote the URL, which is secret
        if not 200 <= status < 300:
            raise WebhookFailed(f"answered {status}")

    def _post(self, url: WebhookUrl, body: bytes, headers: Mapping[str, str]) -> int:
        # The connection is to the checked address: if urllib3 looked the name up again, it could get another one.
        pool = HTTPSConnectionPool(
            self._address_of(url.host),
            self.network.port,
            server_hostname=url.host,
            assert_hostname=url.host,
            ssl_context=self.network.trust,
            timeout=self.network.patience,
        )
        with pool:
            answer = pool.urlopen(
                "POST",
                url.target,
                body,
                {**headers, "Host": url.host},
                redirect=False,
                retries=False,
                preload_content=False,  # the body of the answer is not read, whatever its size
            )
            answer.close()
            return answer.status

    def _address_of(self, host: str) -> str:
        addresses = self.network.addresses_of(host)
        if not addresses or not all(map(self.network.is_allowed, addresses)):
            raise WebhookFailed("its host has an address that is not public")
        return addresses[0]


def _addresses_of(host: str) -> list[str]:
    found = socket.getaddrinfo(host, _PORT, socket.AF_INET, socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]
