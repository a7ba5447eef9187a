"""Types of the botocore event handlers, and an answer in place of the network."""

from collections.abc import Callable
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

Params = dict[str, Any]

Context = dict[str, Any]

Answer = tuple[AWSResponse, dict[str, Any]]

Handlers = dict[str, Callable[..., Answer | None]]  # by botocore event

KEY = "sagequeue"

#: The name of the trial job that `verify` sends: the handlers answer it, and it is never sent.
PROBE = "sagequeue-verify"


def answered(body: dict[str, Any]) -> Answer:
    """Returns what a `before-call` handler returns to answer the call in place of the network."""
    metadata = {"HTTPStatusCode": 200, "HTTPHeaders": {}, "RetryAttempts": 0}
    return AWSResponse("", 200, HTTPHeaders(), None), {**body, "ResponseMetadata": metadata}
