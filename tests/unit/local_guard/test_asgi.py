"""The guard around an ASGI application."""

import asyncio
import json
from typing import Any

import pytest

from local_guard.asgi import Guarded
from local_guard.rule import KEY_HEADER, Guard

KEY = "LOCAL0123456789ABCDEF"
HOST = (b"host", b"127.0.0.1:4566")
SIGNED = (KEY_HEADER.encode(), KEY.encode())


class Inner:
    """The wrapped application. It allows every origin, and shows the scopes that reach it."""

    def __init__(self) -> None:
        self.scopes: list[Any] = []

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        self.scopes.append(scope)
        headers = [(b"Access-Control-Allow-Origin", b"*"), (b"access-control-max-age", b"9"), (b"etag", b"1")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"inside"})


def answer(inner: Inner, *headers: tuple[bytes, bytes], **scope: Any) -> list[dict[str, Any]]:
    """Returns the messages that the server would send."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(dict(message))

    async def receive() -> Any:
        raise AssertionError("the guard reads no body")

    request = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [*headers], **scope}
    guarded = Guarded(inner, Guard(4566, KEY, lambda key: key == "ASIA1"), lambda key: key == "ASIA1")
    asyncio.run(guarded(request, receive, send))
    return sent


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"])
def test_a_refused_request_does_not_reach_the_application(method: str) -> None:
    inner = Inner()
    start, _ = answer(inner, HOST, method=method)
    assert start["status"] == 403
    assert inner.scopes == []


def test_an_answer_is_for_no_other_origin_and_the_application_does_not_see_the_key() -> None:
    inner = Inner()
    start, body = answer(inner, HOST, SIGNED, (b"accept", b"*/*"))
    assert (start["headers"], body["body"]) == ([(b"etag", b"1")], b"inside")
    assert inner.scopes[0]["headers"] == [HOST, (b"accept", b"*/*")]


def test_a_refusal_has_the_form_that_sdks_read() -> None:
    json_1_1 = (b"content-type", b"application/x-amz-json-1.1")
    start, body = answer(Inner(), HOST, json_1_1)
    assert json.loads(body["body"])["__type"] == "InvalidClientTokenId"
    assert (b"x-amzn-errortype", b"InvalidClientTokenId") in start["headers"]
    assert "date" in {name.decode() for name, _ in start["headers"]}

    _, body = answer(Inner(), HOST)
    assert body["body"].startswith(b"<ErrorResponse><Error><Code>InvalidClientTokenId</Code>")


def test_a_websocket_is_closed_before_its_handshake() -> None:
    inner = Inner()
    socket = {"type": "websocket", "path": "/", "query_string": b"", "headers": [HOST]}
    assert answer(inner, **socket) == [{"type": "websocket.close"}]
    assert inner.scopes == []


def test_the_application_starts_and_ends_with_the_server() -> None:
    inner = Inner()
    answer(inner, type="lifespan")
    assert [scope["type"] for scope in inner.scopes] == ["lifespan"]


@pytest.mark.parametrize(("key", "status"), [("ASIA1", 200), ("ASIA2", 404), ("", 404)])
def test_the_owner_asks_whether_a_key_was_issued(key: str, status: int) -> None:
    inner = Inner()
    start, _ = answer(inner, HOST, SIGNED, path=f"/_account/issued/{key}")
    assert start["status"] == status
    assert inner.scopes == []
