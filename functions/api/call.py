"""Represents a call of the REST API as API Gateway passes it to the function, and reads its JSON body strictly."""

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from scheduler.core.callers.hosted_page import UNKNOWN
from scheduler.core.sections import strict_json
from scheduler.errors.refusals import BadRequest, NotJson, TooLarge, bad_field, shortened, shown
from scheduler.wiring import shared

#: The answer about a job repeats the job's request, as JSON inside Lambda's JSON: a two-byte character then takes seven
#: bytes.
MAX_BODY_BYTES = 1280 * 1024
#: The most levels of nested objects and lists: code that walks a request has a stack for a few hundred.
MOST_LEVELS = 64
DEFAULT_PAGE = 50
MAX_PAGE = 200
_TIME_REMEDY = "Use ISO 8601 with a time zone, as in 2026-11-21T12:00:00Z."


@dataclass(frozen=True, slots=True)
class Call:
    """An API Gateway event. API Gateway has already matched method and path, so `route` is a route of the template."""

    event: Mapping[str, Any]
    context: LambdaContext

    @property
    def route(self) -> tuple[str, str]:
        return self.event["httpMethod"], self.event["resource"]

    @property
    def name(self) -> str:
        """The name of the job in the path."""
        name: str = self.event["pathParameters"]["name"]
        return name

    @property
    def body(self) -> str:
        body: str = self.event.get("body") or ""
        try:
            return b64decode(body).decode() if self.event.get("isBase64Encoded") else body
        except UnicodeDecodeError as error:
            raise NotJson("The body is not text in UTF-8", remedy="Send JSON, not compressed.") from error

    @property
    def query(self) -> Mapping[str, str]:
        """The query parameters. If a parameter is repeated, its last value counts."""
        return self.event.get("queryStringParameters") or {}

    @property
    def whole_query(self) -> Mapping[str, list[str]]:
        """The query parameters, each with all its values."""
        return self.event.get("multiValueQueryStringParameters") or {}

    @property
    def caller(self) -> str:
        """The caller's ARN, as API Gateway verified it. For users of the hosted page, the ARN names the person."""
        identity, page = self.event["requestContext"]["identity"], shared.hosted_page()
        return page.caller_in(identity) if page else identity.get("userArn") or UNKNOWN

    @property
    def arn_prefix(self) -> str:
        """The ARN of a SageMaker job in this account and region, without its kind and name."""
        _, partition, _, region, account, *_ = self.context.invoked_function_arn.split(":")
        return f"arn:{partition}:sagemaker:{region}:{account}:"


def json_body(call: Call, *, of: str) -> dict[str, Any]:
    """Returns the body as a JSON object. Raises BadRequest; `of` names the expected body in its text."""
    body = call.body.encode(errors="surrogatepass")
    if len(body) > MAX_BODY_BYTES:
        raise TooLarge(
            f"The body has {len(body)} bytes; the limit is {MAX_BODY_BYTES}",
            remedy="Put large hyperparameters into a file in S3 and pass its location.",
        )
    try:
        document = strict_json.loads(body)
        nul_path = next((path for path, text in _texts(document, "") if "\0" in text), None)
    except (ValueError, RecursionError) as error:
        raise NotJson(f"The body is not JSON: {error}", remedy=f"Send {of} as JSON.") from error
    if nul_path is not None:
        raise bad_field(nul_path, "contains the character NUL", "Leave the character out.")
    if not isinstance(document, dict):
        raise BadRequest(f"The body is {shown(document)}, not an object", remedy=f"Send {of} as a JSON object.")
    return document


def members(document: Mapping[str, Any], known: Mapping[str, type], path: str = "") -> dict[str, Any]:
    """Returns the members that are not null. Raises BadRequest for an unknown member, or one with a wrong type."""
    for name, value in document.items():
        if name not in known:
            raise bad_field(f"{path}{shortened(name)}", "is not a known field", f"Use {', '.join(known)}.")
        if value is not None and type(value) is not known[name]:  # isinstance() would also accept a bool
            json_name = _JSON_NAMES[known[name]]
            raise bad_field(f"{path}{name}", f"must be {json_name}, not {shown(value)}", f"Send it as {json_name}.")
    return {name: value for name, value in document.items() if value is not None}


def required(document: Mapping[str, Any], name: str) -> Any:
    """Returns a required member. Raises BadRequest if it is missing."""
    if name not in document:
        raise bad_field(name, "is missing", f"Send {name}.")
    return document[name]


def page_size_of(text: str | None, default: int = DEFAULT_PAGE, most: int = MAX_PAGE) -> int:
    """Returns the requested page size. Raises BadRequest."""
    if text is None:
        return default
    if not re.fullmatch(f"[0-9]{{1,{len(str(most))}}}", text) or not 1 <= int(text) <= most:
        raise BadRequest(f"limit is {shown(text)}, which is not a page size", field="limit", remedy=f"Use 1 to {most}.")
    return int(text)


def moment_in(query: Mapping[str, str], name: str, default: datetime) -> datetime:
    """Returns the time in a query parameter. Raises BadRequest."""
    if name not in query:
        return default
    try:
        moment = datetime.fromisoformat(query[name])
        if moment.tzinfo is None:
            raise BadRequest(f"{name} is {shown(query[name])}, without a time zone", field=name, remedy=_TIME_REMEDY)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        message = f"{name} is {shown(query[name])}, which is not a time"
        raise BadRequest(message, field=name, remedy=_TIME_REMEDY) from error


_JSON_NAMES = {dict: "an object", list: "an array", str: "a string", int: "an integer", bool: "a boolean"}


def _texts(value: Any, path: str, level: int = 0) -> Iterator[tuple[str, str]]:
    """Yields every text in the value with its path, including the names of members. Raises BadRequest."""
    if level > MOST_LEVELS:
        raise bad_field(path, f"is in more than {MOST_LEVELS} objects and lists", "Remove some levels.")
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _texts(entry, f"{path}[{index}]", level + 1)
    elif isinstance(value, dict):
        for name, entry in value.items():
            shown = shortened(name.replace("\0", ""))
            inner = f"{path}.{shown}" if path else shown
            yield inner, name
            yield from _texts(entry, inner, level + 1)
