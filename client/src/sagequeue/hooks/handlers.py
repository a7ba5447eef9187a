"""Types of the botocore event handlers, and an answer in place of the network."""

from collections.abc import Callable
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

Params = dict[str, Any]
Context = dict[str, Any]
Answer = tuple[AWSResponse, dict[str, Any]]
Handlers = dict[str, Callable[..., Answer | None]]  # by botocore event

#: The key of botocore's context under which the handlers of one call share the job or the request.
KEY = "sagequeue"
#: The name of the trial job of `verify`: the handlers answer it, so it reaches neither AWS nor the queue.
PROBE = "sagequeue-verify"


def answered(body: dict[str, Any]) -> Answer:
    """Returns what a `before-call` handler returns to answer the call in place of the network."""
    metadata = {"HTTPStatusCode": 200, "HTTPHeaders": {}, "RetryAttempts": 0}
    return AWSResponse("", 200, HTTPHeaders(), None), {**body, "ResponseMetadata": metadata}
