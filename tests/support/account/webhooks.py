"""Simulates the queue of webhooks, which calls its function, and the HTTPS endpoints that the function calls."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError, ReadTimeoutError

from scheduler.adapters.https.webhook_sender import Network

if TYPE_CHECKING:
    from scheduler.core.history.webhooks.webhook import WebhookUrl
    from support.account.account_services import AccountServices
    from support.account.processes import Process
    from support.account.service_calls import ServiceCalls

#: The host of all endpoints, and the secret that signs requests to them.
HOST, SECRET = "hooks.example.org", "0f2a"
#: The queue's visibility timeout in seconds, and how often a message is received before it becomes a dead letter.
_VISIBILITY, _MOST_RECEIVES = 180.0, 20
_TRUST = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # never used


@dataclass(frozen=True, slots=True)
class Received:
    url: str
    headers: Mapping[str, str]
    body: bytes


class Webhooks:
    """Delivers each message at least once. The endpoints answer 204, unless the call meets a fault."""

    def __init__(self, account: AccountServices, calls: ServiceCalls) -> None:
        self._account, self._calls = account, calls
        self._numbers = count(1)
        self.waiting: set[str] = set()  # messages that no endpoint has accepted
        self.received: list[Received] = []
        self.letters: list[str] = []

    def put(self, message: dict[str, Any]) -> None:
        """Takes a message. SQS may deliver it late, and twice."""
        attributes = {
            name: {"stringValue": value["StringValue"], "dataType": value["DataType"]}
            for name, value in message["MessageAttributes"].items()
        }
        number = f"message-{next(self._numbers)}"
        record = {"messageId": number, "body": message["MessageBody"], "messageAttributes": attributes}
        self.waiting.add(number)
        for delay in self._account.report_faults.message_arrivals():
            self._in(delay, partial(self._deliver, record))

    def network(self) -> Network:
        return _Network(
            addresses_of=lambda _host: ["8.8.8.8"],
            trust=_TRUST,
            on_post=lambda url, body, headers: self._post(Received(f"https://{url.host}{url.target}", headers, body)),
        )

    def get_secret_value(self, **_call: Any) -> dict[str, str]:
        return {"SecretString": SECRET}

    def _deliver(self, record: dict[str, Any], receives: int = 1) -> None:
        def then(process: Process) -> None:
            if process.error is None and not process.result["batchItemFailures"]:
                self.waiting.discard(record["messageId"])
            elif receives < _MOST_RECEIVES:
                self._in(_VISIBILITY, partial(self._deliver, record, receives + 1))
            else:
                self.waiting.discard(record["messageId"])
                self.letters.append(record["body"])

        self._account.invoke("webhooks", {"Records": [record]}, f"{record['messageId']}-{receives}", then)

    def _post(self, received: Received) -> int:
        try:
            self._calls.pass_on("https", "POST", received.url, lambda: self.received.append(received))
        except ReadTimeoutError:
            raise TimeoutError from None
        except ClientError:
            return 503
        return 204

    def _in(self, seconds: float, action: Callable[[], object]) -> None:
        self._account.agenda.at(self._account.now + seconds, action)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Network(Network):
    on_post: Callable[[WebhookUrl, bytes, Mapping[str, str]], int]

    def post(self, url: WebhookUrl, body: bytes, headers: Mapping[str, str]) -> int:
        return self.on_post(url, body, headers)


class OneByOne:
    """Stands in for a pool of threads. A simulated process has one thread, which waits at each call."""

    def __init__(self, _most: int) -> None:
        pass

    def submit(self, call: Callable[[], Any]) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(call())
        except Exception as error:  # noqa: BLE001 - the caller reads it
            future.set_exception(error)
        return future

    def shutdown(self, *, wait: bool) -> None:
        pass
