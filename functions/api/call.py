"""A call of the REST API, as API Gateway and Lambda tell of it."""

from base64 import b64decode
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aws_lambda_powertools.utilities.typing import LambdaContext


@frozen
class Call:
    """API Gateway has matched method and path already: `route` is one of the template's."""

    event: "Mapping[str, Any]"
    context: "LambdaContext"

    @property
    def route(self) -> tuple[str, str]:
        return self.event["httpMethod"], self.event["resource"]

    @property
    def name(self) -> str:
        """Of the job that the path names."""
        name: str = self.event["pathParameters"]["name"]
        return name

    @property
    def body(self) -> str:
        body: str = self.event.get("body") or ""
        return b64decode(body).decode() if self.event.get("isBase64Encoded") else body

    @property
    def query(self) -> "Mapping[str, str]":
        """Of what is given twice, the last."""
        return self.event.get("queryStringParameters") or {}

    @property
    def whole_query(self) -> "Mapping[str, list[str]]":
        return self.event.get("multiValueQueryStringParameters") or {}

    @property
    def caller(self) -> str:
        """The caller's ARN, as API Gateway verified it."""
        return self.event["requestContext"]["identity"].get("userArn") or "unknown"

    @property
    def arn_prefix(self) -> str:
        """What the ARN of a training job begins with, in this account and region."""
        _, partition, _, region, account, *_ = self.context.invoked_function_arn.split(":")
        return f"arn:{partition}:sagemaker:{region}:{account}:training-job/"
