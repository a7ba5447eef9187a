"""A call of the REST API, as API Gateway passes it to the function, and its body: JSON that is read strictly."""

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from scheduler.core.documents import strict_json
from scheduler.errors.refusals import BadRequest, NotJson, TooLarge, bad_field

MAX_BODY_BYTES = 4 * 1024 * 1024
DEFAULT_PAGE = 50
MAX_PAGE = 200


@dataclass(frozen=True, slots=True)
class Call:
    """An API Gateway event. API Gateway has matched method and path: `route` is one of the template's."""

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
        return b64decode(body).decode() if self.event.get("isBase64Encoded") else body

    @property
    def query(self) -> Mapping[str, str]:
        """The query parameters. Of a parameter given twice, the last value."""
        return self.event.get("queryStringParameters") or {}

    @property
    def whole_query(self) -> Mapping[str, list[str]]:
        """The query parameters with all their values."""
        return self.event.get("multiValueQueryStringParameters") or {}

    @property
    def caller(self) -> str:
        """The caller's ARN, as API Gateway verified it."""
        return self.event["requestContext"]["identity"].get("userArn") or "unknown"

    @property
    def arn_prefix(self) -> str:
        """The ARN of a training job in this account and region, without the job's name."""
        _, partition, _, region, account, *_ = self.context.invoked_function_arn.split(":")
        return f"arn:{partition}:sagemaker:{region}:{account}:training-job/"


def json_body(call: Call, *, of: str) -> dict[str, Any]:
    """Returns the body, an `of` such as "a CreateTrainingJob request", as a JSON object. Raises BadRequest."""
    body = call.body.encode(errors="surrogatepass")
    if len(body) > MAX_BODY_BYTES:
        raise TooLarge(
            f"The body has {len(body)} bytes; the limit is {MAX_BODY_BYTES}",
            remedy="Put large hyperparameters into a file on S3 and pass its location.",
        )
    try:
        document = strict_json.loads(body)
        nul_path = next((path for path, text in _texts(document, "") if "\0" in text), None)
    except (ValueError, RecursionError) as error:
        raise NotJson(f"The body is not JSON: {error}", remedy=f"Send {of} as JSON.") from error
    if nul_path is not None:
        raise bad_field(nul_path, "contains the character NUL", "Leave the character out.")
    if not isinstance(document, dict):
        raise BadRequest("The body is not a JSON object", remedy=f"Send {of} as a JSON object.")
    return document


def members(document: Mapping[str, Any], known: Mapping[str, type], path: str = "") -> dict[str, Any]:
    """Returns the members that are not null, each of its type. Raises BadRequest for an unknown or ill-typed member."""
    for name, value in document.items():
        if name not in known:
            raise bad_field(f"{path}{name}", "is not a known field", f"Use {', '.join(known)}.")
        if value is not None and type(value) is not known[name]:  # a bool is an int to isinstance
            json_name = _JSON_NAMES[known[name]]
            raise bad_field(f"{path}{name}", f"must be {json_name}", f"Send it as {json_name}.")
    return {name: value for name, value in document.items() if value is not None}


def required(document: Mapping[str, Any], name: str) -> Any:
    """Returns a member. Raises BadRequest if it is missing."""
    if name not in document:
        raise bad_field(name, "is missing", f"Send {name}.")
    return document[name]


def page_size_of(text: str | None, default: int = DEFAULT_PAGE, most: int = MAX_PAGE) -> int:
    """Returns the size of a page. Raises BadRequest."""
    if text is None:
        return default
    if not re.fullmatch(f"[0-9]{{1,{len(str(most))}}}", text) or not 1 <= int(text) <= most:
        raise BadRequest(f"{text[:20]!r} is not a page size", field="limit", remedy=f"Use 1 to {most}.")
    return int(text)


_JSON_NAMES = {dict: "an object", list: "an array", str: "a string", int: "an integer", bool: "a boolean"}


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yields every text in the value, and every member's name, with its path."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _texts(entry, f"{path}[{index}]")
    elif isinstance(value, dict):
        for name, entry in value.items():
            inner = f"{path}.{name}" if path else name
            yield inner.replace("\0", ""), name
            yield from _texts(entry, inner.replace("\0", ""))
