"""Decides whether a server of the local account may answer a request: by its Host, its Origin and its key.

The key is the access key id of the account's root user, so every AWS SDK sends it. Open this module to see why the
guard refuses a request.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from secrets import compare_digest
from urllib.parse import parse_qsl

#: The header that carries the key in requests that no SDK signs.
KEY_HEADER = "x-local-account-key"

_NAMES = ("127.0.0.1", "localhost", "[::1]")
_DEFAULT_PORT = 80  # clients omit it in the header Host
_SIGNER = re.compile(r"Credential=([^/,\s]+)|^AWS ([^:\s]+):")
_SIGNERS_IN_QUERY = {"x-amz-credential", "awsaccesskeyid"}
#: Paths for resets and fault injection. Only the account's owner may use them; its roles must not.
_ADMINISTRATION = "/_"
#: CloudFormation's callback for a custom resource. Each address is a secret that only the called function knows.
_CALLBACK = ("PUT", "/_ministack/cfn-response/")


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str  # decoded, as the server reads it
    query: str
    headers: Sequence[tuple[str, str]]

    def values(self, name: str) -> list[str]:
        return [value for given, value in self.headers if given.lower() == name]

    def signers(self) -> set[str]:
        """Returns all access key ids in the request."""
        in_headers = (match for value in self.values("authorization") for match in _SIGNER.findall(value))
        in_query = (value for name, value in parse_qsl(self.query) if name.lower() in _SIGNERS_IN_QUERY)
        return {first or second for first, second in in_headers} | {value.partition("/")[0] for value in in_query}


@dataclass(frozen=True, slots=True)
class Refusal:
    status: HTTPStatus
    code: str
    message: str


_FOREIGN_HOST = Refusal(
    HTTPStatus.MISDIRECTED_REQUEST, "ForeignHost", "The local account answers 127.0.0.1 and localhost, with its port."
)
_FOREIGN_ORIGIN = Refusal(HTTPStatus.FORBIDDEN, "ForeignOrigin", "The local account does not answer web pages.")
_NO_KEY = Refusal(
    HTTPStatus.FORBIDDEN,
    "InvalidClientTokenId",
    'This is not the key of the local account. To set it, run: eval "$(sagequeue local env)"',
)


class Guard:
    """Checks requests to the server on one port. `is_issued` recognises keys that the account issued to roles and
    users.
    """

    def __init__(self, port: int, key: str, is_issued: Callable[[str], bool]) -> None:
        self._hosts = {f"{name}:{port}" for name in _NAMES}
        if port == _DEFAULT_PORT:
            self._hosts |= set(_NAMES)
        self._key = key
        self._is_issued = is_issued

    def refuse(self, request: Request) -> Refusal | None:
        """Returns why the server must refuse the request; None if it may answer."""
        hosts = request.values("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return _FOREIGN_HOST
        if request.values("origin"):
            return _FOREIGN_ORIGIN
        return None if self._has_key(request) or _is_callback(request) else _NO_KEY

    def _has_key(self, request: Request) -> bool:
        signers = request.signers()
        return any(map(self._is_key, request.values(KEY_HEADER))) or (
            bool(signers) and all(self._is_accepted(signer, request.path) for signer in signers)
        )

    def _is_accepted(self, signer: str, path: str) -> bool:
        return self._is_key(signer) or (not path.startswith(_ADMINISTRATION) and self._is_issued(signer))

    def _is_key(self, given: str) -> bool:
        return compare_digest(given.encode(), self._key.encode())


def text_headers(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]


def _is_callback(request: Request) -> bool:
    method, prefix = _CALLBACK
    return request.method == method and request.path.startswith(prefix)
