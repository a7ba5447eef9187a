"""The hosted page on a local account, at the addresses that its stack names. One HTTPS server answers for all hosts.

The user pool, its sign-in with the OIDC provider (`oidc_provider.py`), the identity pool, the roles, the API, its IAM
checks and the reported identity are ministack's. This server simulates the rest: the names and certificates of hosts,
and CloudFront. It sends people to the app client's only provider, chooses a role by the user's groups, refuses
disabled users, and checks signatures. It adds headers for CORS, because the local account's guard removes them.
ministack accepts any token, other roles and the classic flow, which the identity pool of AWS refuses.
"""

import json
import ssl
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import boto3
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from openapi.gateway import SENT_HEADERS

from local_guard.rule import KEY_HEADER

BUILT = Path(__file__).parents[2] / "client" / "src" / "sagequeue" / "ui" / "built"
REGION = "us-east-1"
#: AWS's own bound for the age of a signature.
_FRESH = timedelta(minutes=5)
_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_OPENER = build_opener(_NoRedirects)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass
class HostedSite:
    """Answers for the page's four hosts. `outputs` are those of its stack, `api_url` is the API's local address."""

    session: boto3.Session
    key: str
    endpoint: str
    api_url: str
    outputs: Mapping[str, str]
    issued: dict[str, Credentials] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    _one_role_at_a_time: Lock = field(default_factory=Lock)

    @property
    def settings(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self.outputs["Settings"])
        return found

    @property
    def origin(self) -> str:
        return self.outputs["PageUrl"].removesuffix("/")

    @property
    def issued_last(self) -> Credentials:
        return [*self.issued.values()][-1]

    def hosts(self) -> list[str]:
        addresses = [self.origin, *(self.settings[name] for name in ("api", "sign_in", "identities"))]
        return [urlsplit(address).netloc for address in addresses]

    def answer(self, host: str, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        page, api, sign_in, _ = self.hosts()
        if host == page:
            return self._file(urlsplit(path).path)
        if host == sign_in:
            return self._with_cors(self._forward(method, self.endpoint + self._at_provider(path), headers, body))
        if host != api:
            answer = self._credentials(method, path, headers, body) if method == "POST" else Answer(204, {}, b"")
        elif method == "OPTIONS":
            answer = self._forward(method, self._local(path), {}, b"")  # without a signature
        else:
            answer = self._call(method, path, headers, body)
        return self._with_cors(answer)

    def _file(self, path: str) -> Answer:
        name = path.removeprefix("/") or "index.html"
        body = self.outputs["Settings"].encode() if name == "hosted.json" else (BUILT / name).read_bytes()
        cloudfront = self.session.client("cloudfront", endpoint_url=self.endpoint)
        (policy,) = [
            one["ResponseHeadersPolicy"]["ResponseHeadersPolicyConfig"]
            for one in cloudfront.list_response_headers_policies(Type="custom")["ResponseHeadersPolicyList"]["Items"]
        ]
        security = policy["SecurityHeadersConfig"]
        headers = {one["Header"]: one["Value"] for one in policy["CustomHeadersConfig"]["Items"]}
        headers["Referrer-Policy"] = security["ReferrerPolicy"]["ReferrerPolicy"]
        headers["X-Frame-Options"] = security["FrameOptions"]["FrameOption"]
        own = security["ContentSecurityPolicy"]["ContentSecurityPolicy"]
        content_type = _TYPES.get(Path(name).suffix, "application/json")
        return Answer(200, {**headers, "Content-Security-Policy": own, "Content-Type": content_type}, body)

    def _at_provider(self, path: str) -> str:
        """Adds the app client's only provider to a request for a sign-in: Cognito then does not show its own page."""
        if not path.startswith("/oauth2/authorize?"):
            return path
        pools = self.session.client("cognito-idp", endpoint_url=self.endpoint)
        asked = {"UserPoolId": self.outputs["UserPoolId"], "ClientId": self.settings["client"]}
        (provider,) = pools.describe_user_pool_client(**asked)["UserPoolClient"]["SupportedIdentityProviders"]
        return path if provider == "COGNITO" else f"{path}&identity_provider={provider}"

    def _with_cors(self, answer: Answer) -> Answer:
        """Adds the headers that openapi/gateway.py defines for the API, and that Cognito sends, too."""
        cors = {
            "Access-Control-Allow-Origin": self.origin,
            "Access-Control-Allow-Methods": "GET,POST,PUT,DELETE",
            "Access-Control-Allow-Headers": f"{SENT_HEADERS},x-amz-target",
        }
        return Answer(answer.status, {**answer.headers, **cors}, answer.body)

    def _local(self, path: str) -> str:
        return self.api_url + path.removeprefix(urlsplit(self.settings["api"]).path)

    def _call(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Checks the browser's signature as AWS does, then signs for the API's local address with the same keys."""
        signer = self.issued.get(headers.get("authorization", "").partition("Credential=")[2].partition("/")[0])
        problem = _problem_of(signer, self.settings["api"], method, path, headers, body) if signer else "Unknown keys."
        if signer is None or problem:
            self.refused.append(problem)
            return Answer(403, {"Content-Type": "application/json"}, json.dumps({"message": problem}).encode())
        url = self._local(path)
        request = AWSRequest(method, url, {"Content-Type": "application/json"}, body)
        SigV4Auth(signer, "execute-api", REGION).add_auth(request)
        return self._forward(method, url, dict(request.headers.items()), body)

    def _credentials(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Gives credentials of the role of the user's first group: ministack gives everybody the same role."""
        user = self._user_of(next(iter(json.loads(body)["Logins"].values())))
        pools = self.session.client("cognito-idp", endpoint_url=self.endpoint)
        if not pools.admin_get_user(**user)["Enabled"]:  # the stack's ServerSideTokenCheck
            refused = {"__type": "NotAuthorizedException", "message": "User is disabled"}
            return Answer(400, {"Content-Type": "application/x-amz-json-1.1"}, json.dumps(refused).encode())
        with self._one_role_at_a_time:
            if headers["x-amz-target"].endswith("GetCredentialsForIdentity"):
                self._choose_role(pools.admin_list_groups_for_user(**user)["Groups"])
            answer = self._forward(method, self.endpoint + path, headers, body)
        given = json.loads(answer.body).get("Credentials")
        if given:
            keys = Credentials(given["AccessKeyId"], given["SecretKey"], given["SessionToken"])
            self.issued[given["AccessKeyId"]] = keys
        return answer

    def _user_of(self, token: str) -> dict[str, str]:
        claims = json.loads(urlsafe_b64decode(token.split(".")[1] + "=="))
        return {"UserPoolId": self.outputs["UserPoolId"], "Username": claims["cognito:username"]}

    def _choose_role(self, groups: Iterable[Any]) -> None:
        """Uses the pool's groups: ministack's token has any `cognito:groups` that the provider claims."""
        with_role = (group for group in groups if "RoleArn" in group)  # unlike the group of a provider's people
        first = min(with_role, key=lambda group: group["Precedence"], default=None)
        roles = self.session.client("iam", endpoint_url=self.endpoint).list_roles()["Roles"]
        reader = next(role["Arn"] for role in roles if "ReaderRole" in role["RoleName"])
        identities = self.session.client("cognito-identity", endpoint_url=self.endpoint)
        chosen = {"authenticated": first["RoleArn"] if first else reader}
        identities.set_identity_pool_roles(IdentityPoolId=self.settings["identity_pool"], Roles=chosen)

    def _forward(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        kept = {name: value for name, value in headers.items() if name.lower() not in {"origin", "host", "referer"}}
        request = Request(url, body or None, {**kept, KEY_HEADER: self.key}, method=method)  # noqa: S310 - http only
        try:
            with _OPENER.open(request, timeout=60) as answer:
                return Answer(answer.status, _kept(answer.headers), answer.read())
        except HTTPError as answer:
            return Answer(answer.code, _kept(answer.headers), answer.read())


def _kept(headers: Any) -> dict[str, str]:
    return {name: headers[name] for name in ("Content-Type", "Location") if headers[name]}


def _problem_of(signer: Credentials, api: str, method: str, path: str, headers: Mapping[str, str], body: bytes) -> str:
    """Returns why AWS would refuse the signature; an empty text if it accepts it."""
    signed_at = datetime.strptime(headers["x-amz-date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    if abs(datetime.now(UTC) - signed_at) > _FRESH:
        return f"Signature expired: {headers['x-amz-date']}"
    signed = headers["authorization"].partition("SignedHeaders=")[2].partition(",")[0].split(";")
    host = urlsplit(api).netloc
    request = AWSRequest(
        method, f"https://{host}{path}", {name: headers[name] for name in signed if name != "host"}, body
    )
    request.context["timestamp"] = headers["x-amz-date"]
    auth = SigV4Auth(signer, "execute-api", REGION)
    signature = auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)
    return "" if headers["authorization"].endswith(f"Signature={signature}") else "The request signature does not match"


@contextmanager
def serving(site: HostedSite, certificate: Path) -> Iterator[int]:
    """Yields the port of the HTTPS server, to which the browser maps the hosts."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = site.answer(headers["host"], self.command, self.path, headers, body)
            self.send_response(answer.status)
            for name, value in {**answer.headers, "Content-Length": str(len(answer.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        do_POST = do_PUT = do_OPTIONS = do_GET  # noqa: N815  # http.server's own naming

        def log_message(self, *_: object) -> None:
            """Logs nothing: addresses contain codes."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def certificate_in(folder: Path) -> Path:
    """Makes a certificate for all hosts, which no browser trusts, and returns its file."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "local")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(days=1), now + timedelta(days=1))
    certificate = builder.sign(key, hashes.SHA256())
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "site.pem"
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path
