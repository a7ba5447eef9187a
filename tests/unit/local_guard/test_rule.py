"""The rule by which a server of the local account answers a request."""

import pytest

from local_guard.rule import KEY_HEADER, Guard, Request

PORT = 4566
KEY = "LOCAL0123456789ABCDEF"
ISSUED = "ASIAFEDCBA9876543210"
HOST = ("Host", f"127.0.0.1:{PORT}")
PLAIN_HTTP = 80


def signed(key: str, service: str = "dynamodb") -> tuple[str, str]:
    scope = f"{key}/20260101/us-east-1/{service}/aws4_request"
    return "Authorization", f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00"


def refusal(
    *headers: tuple[str, str], method: str = "POST", path: str = "/", query: str = "", port: int = PORT
) -> str | None:
    guard = Guard(port, KEY, lambda key: key == ISSUED)
    found = guard.refuse(Request(method, path, query, headers))
    return f"{found.status} {found.code}" if found else None


NO_KEY = "403 InvalidClientTokenId"
FOREIGN_HOST = "421 ForeignHost"
FOREIGN_ORIGIN = "403 ForeignOrigin"


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_the_names_of_this_machine_are_answered(name: str) -> None:
    assert refusal(("host", f"{name}:{PORT}"), signed(KEY)) is None


@pytest.mark.parametrize(
    "host",
    [
        "rebound.example:4566",
        "127.0.0.1.example:4566",
        "bucket.localhost:4566",
        "localhost",
        "localhost:4567",
        "127.0.0.1:4566@rebound.example",
        "127.0.0.1:4566, rebound.example",
        "",
    ],
)
def test_any_other_name_is_refused_even_with_the_key(host: str) -> None:
    assert refusal(("Host", host), signed(KEY)) == FOREIGN_HOST


@pytest.mark.parametrize("hosts", [[], [HOST, HOST], [HOST, ("host", "rebound.example:4566")]])
def test_a_request_has_one_host(hosts: list[tuple[str, str]]) -> None:
    assert refusal(*hosts, signed(KEY)) == FOREIGN_HOST


def test_clients_omit_the_default_port() -> None:
    assert refusal(("Host", "127.0.0.1"), signed(KEY), port=PLAIN_HTTP) is None


@pytest.mark.parametrize("origin", ["null", "http://127.0.0.1:4566", "http://localhost:8080", "https://a.example"])
def test_every_web_page_is_refused_even_with_the_key(origin: str) -> None:
    assert refusal(HOST, ("Origin", origin), signed(KEY)) == FOREIGN_ORIGIN


def test_a_preflight_is_refused() -> None:
    preflight = ("Access-Control-Request-Headers", KEY_HEADER)
    assert refusal(HOST, ("Origin", "https://a.example"), preflight, method="OPTIONS") == FOREIGN_ORIGIN
    assert refusal(HOST, method="OPTIONS") == NO_KEY


@pytest.mark.parametrize("key", [KEY, ISSUED])
@pytest.mark.parametrize("service", ["dynamodb", "s3", "execute-api", "sagemaker"])
def test_keys_of_the_account_are_accepted_in_a_signature(key: str, service: str) -> None:
    assert refusal(HOST, signed(key, service)) is None


@pytest.mark.parametrize("key", [KEY, ISSUED])
@pytest.mark.parametrize(
    "query",
    [
        "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential={}%2F20260101%2Fus-east-1%2Fs3%2Faws4_request",
        "AWSAccessKeyId={}&Signature=00&Expires=1",
    ],
)
def test_keys_of_the_account_are_accepted_in_a_presigned_address(key: str, query: str) -> None:
    assert refusal(HOST, method="GET", path="/bucket/object", query=query.format(key)) is None


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [signed("test")],
        [signed("")],
        [signed("000000000000")],
        [signed(KEY.lower())],
        [signed(KEY[:-1])],
        [signed(f"{KEY}0")],
        [signed("ÄKIA")],
        [(KEY_HEADER, "")],
        [(KEY_HEADER, ISSUED)],
        [("Authorization", f"Bearer {KEY}")],
        [("Authorization", "AWS test:00")],
        [("Cookie", f"{KEY_HEADER}={KEY}")],
    ],
)
def test_requests_without_a_key_of_the_account_are_refused(headers: list[tuple[str, str]]) -> None:
    assert refusal(HOST, *headers) == NO_KEY


@pytest.mark.parametrize("query", ["X-Amz-Credential=test%2F20260101", "x-amz-credential=test", "AWSAccessKeyId=test"])
def test_a_second_signer_must_be_known_too(query: str) -> None:
    """ministack may read the key from another place, and takes some keys for the root user's."""
    assert refusal(HOST, signed(ISSUED), query=query) == NO_KEY
    assert refusal(HOST, signed(ISSUED), signed("test")) == NO_KEY


def test_the_refusal_says_how_to_get_the_key() -> None:
    refused = Guard(PORT, KEY, lambda _key: False).refuse(Request("GET", "/", "", [HOST]))
    assert refused is not None
    assert 'eval "$(sagequeue local env)"' in refused.message


@pytest.mark.parametrize("path", ["/_ministack/reset", "/_ministack/health", "/_control/calls", "/_account/issued/K"])
def test_administration_needs_the_key_of_the_account_itself(path: str) -> None:
    assert refusal(HOST, path=path) == NO_KEY
    assert refusal(HOST, signed(ISSUED), path=path) == NO_KEY
    assert refusal(HOST, (KEY_HEADER, KEY), path=path) is None


def test_the_callback_of_a_custom_resource_needs_no_key_as_its_address_is_one() -> None:
    callback = "/_ministack/cfn-response/4b1f"
    assert refusal(HOST, method="PUT", path=callback) is None
    assert refusal(HOST, method="POST", path=callback) == NO_KEY
    assert refusal(HOST, ("Origin", "null"), method="PUT", path=callback) == FOREIGN_ORIGIN
