"""The function that sends webhooks calls an HTTPS endpoint on loopback; the secret is in moto's Secrets Manager."""

import hmac
import json
from collections.abc import Iterator
from dataclasses import replace
from threading import Event
from typing import Any
from urllib.parse import unquote

import boto3
import pytest

from scheduler.adapters.https.parallel import failed_of
from scheduler.adapters.https.webhook_sender import Delivery, Network, internet
from scheduler.core.history.webhooks.public_address import is_public
from scheduler.core.history.webhooks.webhook import WebhookFormat
from scheduler.errors.internal import WebhookFailed
from scheduler.wiring import webhooks
from support.https.sink import HOST, LOOPBACK, OTHER_HOST, Received, Sink, sink
from webhooks.handler import handle

NOTICE = {"id": "resnet/4/failed", "kind": "failed", "job": "resnet", "reason": "It failed.", "remedy": "Look."}


@pytest.fixture
def endpoint(table: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sink]:
    secret = boto3.client("secretsmanager").create_secret(Name="webhooks", SecretString="first")["ARN"]
    monkeypatch.setenv("WEBHOOK_SECRET", secret)
    with sink() as found:
        monkeypatch.setattr(webhooks, "network", found.network)
        yield found


def use(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "network", lambda: network)


def record(message: str, url: str = f"https://{HOST}/queue", form: str = "json") -> dict[str, Any]:
    """Returns a message as the queue of webhooks delivers it."""
    texts = {"webhook": url, "format": form, "event": "failed"}
    attributes = {name: {"stringValue": text, "dataType": "String"} for name, text in texts.items()}
    return {"messageId": message, "body": json.dumps(NOTICE), "messageAttributes": attributes}


def failed(*records: dict[str, Any]) -> list[str]:
    answer = handle({"Records": [*records]}, None)
    return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]


def is_signed(request: Received, secret: bytes) -> bool:
    signed = request.headers["SageQueue-Timestamp"].encode() + b"." + request.body
    return request.headers["SageQueue-Signature"] == f"v1={hmac.digest(secret, signed, 'sha256').hex()}"


def test_an_endpoint_gets_the_signed_notice(endpoint: Sink) -> None:
    assert failed(record("1", f"https://{HOST}/queue?key=a%2Fb")) == []
    (request,) = endpoint.received
    assert (request.host, request.path, json.loads(request.body)) == (HOST, "/queue?key=a%2Fb", NOTICE)
    assert request.headers["SageQueue-Notice"] == "resnet/4/failed"
    assert is_signed(request, b"first")
    assert not is_signed(request, b"other")


def test_a_notice_about_a_tag_in_any_script_is_delivered(endpoint: Sink) -> None:
    identity = "2026-11/daily#300 dollars#near#tag#project=月"
    assert failed({**record("1"), "body": json.dumps({**NOTICE, "id": identity})}) == []
    (request,) = endpoint.received
    assert unquote(request.headers["SageQueue-Notice"]) == json.loads(request.body)["id"] == identity


def test_chats_get_their_own_format(endpoint: Sink) -> None:
    assert failed(record("1", form="slack"), record("2", form="teams")) == []
    assert {tuple(json.loads(request.body)) for request in endpoint.received} == {("text",), ("type", "attachments")}


@pytest.mark.parametrize("status", [301, 302, 307, 308, 400, 404, 410, 429, 500, 503, None])
def test_a_notice_that_the_endpoint_does_not_accept_is_repeated_and_no_redirect_is_followed(
    endpoint: Sink, status: int | None
) -> None:
    endpoint.answer = lambda _request: status
    assert failed(record("1")) == ["1"]
    assert [request.path for request in endpoint.received] == ["/queue"]


def test_only_the_notices_that_failed_are_repeated(endpoint: Sink) -> None:
    endpoint.answer = lambda request: 500 if request.path == "/broken" else 200
    good, bad = record("good"), record("bad", f"https://{HOST}/broken")
    assert failed(good, bad) == ["bad"]


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "169.254.100.1", "192.168.1.1", "100.64.0.1", "::1"]
)
def test_an_endpoint_at_an_address_that_is_not_public_is_not_called(
    endpoint: Sink, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    network = replace(endpoint.network(), addresses_of=lambda _host: [address], is_allowed=is_public)
    use(network, monkeypatch)
    assert failed(record("1")) == ["1"]
    use(replace(network, addresses_of=lambda _host: ["8.8.8.8", address]), monkeypatch)  # one bad address is enough
    assert failed(record("1")) == ["1"]
    assert endpoint.received == []


def test_the_name_is_looked_up_once_so_that_it_cannot_change_after_the_check(
    endpoint: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([[LOOPBACK]])
    use(replace(endpoint.network(), addresses_of=lambda _host: next(answers)), monkeypatch)
    assert failed(record("1")) == []
    assert len(endpoint.received) == 1


def test_by_default_only_public_addresses_of_port_443_are_called() -> None:
    network = internet()
    assert (network.is_allowed, network.port) == (is_public, 443)
    assert network.trust.check_hostname


def test_a_certificate_of_another_host_is_refused(endpoint: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBHOOK_HOSTS", "evil.example.org")
    assert failed(record("1", "https://evil.example.org/queue")) == ["1"]
    assert endpoint.received == []


def test_a_certificate_that_nobody_trusts_is_refused(endpoint: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    use(replace(endpoint.network(), trust=internet().trust), monkeypatch)
    assert failed(record("1")) == ["1"]
    assert endpoint.received == []


@pytest.mark.parametrize("hosts", ["", "example.org", OTHER_HOST])
def test_a_host_that_the_stack_does_not_allow_is_not_called(
    endpoint: Sink, monkeypatch: pytest.MonkeyPatch, hosts: str
) -> None:
    monkeypatch.setenv("WEBHOOK_HOSTS", hosts)
    assert failed(record("1")) == ["1"]
    assert endpoint.received == []


@pytest.mark.parametrize("message", [{"form": "xml"}, {"url": "http://hooks.example.org/queue"}])
def test_a_message_that_cannot_be_read_fails_alone(endpoint: Sink, message: dict[str, str]) -> None:
    assert failed(record("1", **message), record("2")) == ["1"]


def test_an_endpoint_that_hangs_delays_no_other(endpoint: Sink) -> None:
    def answer(request: Received) -> int:
        if request.path == "/hangs":
            return 500
        endpoint.is_released.set()  # the others hang until this one has arrived
        return 200

    endpoint.hangs_on, endpoint.answer = "/hangs", answer
    hanging = [record(f"hangs-{number}", f"https://{HOST}/hangs") for number in range(9)]
    assert failed(*hanging, record("good")) == [f"hangs-{number}" for number in range(9)]


def test_an_endpoint_that_sends_its_answer_byte_by_byte_is_left_at_the_deadline(
    endpoint: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint.drips_on = "/slow"
    use(replace(endpoint.network(), exchange=0.3), monkeypatch)
    slow = Delivery(f"https://{HOST}/slow", WebhookFormat.JSON, NOTICE)
    with pytest.raises(WebhookFailed, match="TimeoutError"):  # otherwise it ends with the test
        webhooks.sender().send(slow)
    assert endpoint.dripped > 1
    assert not endpoint.is_released.is_set()


def test_a_call_that_does_not_end_counts_as_failed() -> None:
    is_released, has_ended = Event(), Event()
    try:
        assert failed_of({"hangs": is_released.wait, "ends": has_ended.set}, 0.01) == ["hangs"]
    finally:
        is_released.set()


def test_a_new_secret_is_used_after_a_cold_start_at_the_latest(endpoint: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    assert failed(record("1")) == []
    boto3.client("secretsmanager").put_secret_value(SecretId="webhooks", SecretString="second")
    assert failed(record("2")) == []
    webhooks.sender.cache_clear()
    webhooks.signing_secret.cache_clear()
    assert failed(record("3")) == []
    assert [is_signed(request, b"second") for request in endpoint.received] == [False, False, True]


def test_logs_have_neither_url_nor_notice(endpoint: Sink, capsys: pytest.CaptureFixture[str]) -> None:
    endpoint.answer = lambda _request: None
    assert failed(record("1", f"https://{HOST}/t0ken")) == ["1"]
    logged = "".join(capsys.readouterr())
    assert "t0ken" not in logged
    assert "It failed." not in logged
