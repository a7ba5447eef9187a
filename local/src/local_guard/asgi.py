"""Wraps an ASGI application. Refused requests do not reach the application, and answers permit no other origin."""

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from email.utils import formatdate
from http import HTTPStatus
from typing import Any
from xml.sax.saxutils import escape

from local_guard.rule import KEY_HEADER, Guard, Refusal, Request, text_headers

#: Under this path, the emulator of SageMaker asks whether the account issued a key.
ISSUED = "/_account/issued/"

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
_Headers = Iterable[tuple[bytes, bytes]]


class Guarded:
    """The server runs this application in place of the wrapped one."""

    def __init__(self, application: Application, guard: Guard, is_issued: Callable[[str], bool]) -> None:
        self._application = application
        self._guard = guard
        self._is_issued = is_issued

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
        elif refusal := self._guard.refuse(_request(scope)):
            await _refuse(refusal, scope, send)
        elif scope["path"].startswith(ISSUED):
            found = self._is_issued(scope["path"].removeprefix(ISSUED))
            await _answer(send, HTTPStatus.OK if found else HTTPStatus.NOT_FOUND)
        else:
            headers = _without(scope["headers"], KEY_HEADER.encode())  # functions receive the headers of API calls
            await self._application({**scope, "headers": headers}, receive, _same_origin(send))


def _request(scope: Scope) -> Request:
    method = scope.get("method", "GET")  # a websocket has no method
    query = scope["query_string"].decode("latin-1")
    return Request(method, scope["path"], query, text_headers(scope["headers"]))


def _same_origin(send: Send) -> Send:
    async def send_without_cors(message: MutableMapping[str, Any]) -> None:
        if "headers" in message:
            message = {**message, "headers": _without(message["headers"], b"access-control-")}
        await send(message)

    return send_without_cors


def _without(headers: _Headers, prefix: bytes) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in headers if not name.lower().startswith(prefix)]


async def _refuse(refusal: Refusal, scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close"})  # before the handshake: the client gets a 403
        return
    wants_json = any(name == b"content-type" and b"json" in value for name, value in scope["headers"])
    content_type, body = _as_json(refusal) if wants_json else _as_xml(refusal)
    headers = [(b"content-type", content_type), (b"x-amzn-errortype", refusal.code.encode())]
    await _answer(send, refusal.status, headers, body)


def _as_json(refusal: Refusal) -> tuple[bytes, bytes]:
    return b"application/json", json.dumps({"__type": refusal.code, "message": refusal.message}).encode()


def _as_xml(refusal: Refusal) -> tuple[bytes, bytes]:
    """Formats the refusal as the protocols of S3, STS and CloudFormation require. Other SDKs show it unchanged."""
    error = f"<Error><Code>{refusal.code}</Code><Message>{escape(refusal.message)}</Message></Error>"
    return b"application/xml", f"<ErrorResponse>{error}</ErrorResponse>".encode()


async def _answer(send: Send, status: int, headers: _Headers = (), body: bytes = b"") -> None:
    date = formatdate(usegmt=True).encode()  # the server adds no date, and `sagequeue doctor` compares clocks with it
    common = [(b"date", date), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": int(status), "headers": [*headers, *common]})
    await send({"type": "http.response.body", "body": body})
