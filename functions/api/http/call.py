"""A call of the REST API, as API Gateway passes it to the function."""

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext


@dataclass(frozen=True, slots=True)
class Call:
    """An API Gateway event. API Gateway has matched method and path: `route` is one of the template's."""

    event: Mapping[str, Any]
    context: "LambdaContext"

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
