"""Reads the tags of a resource in SageMaker."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_sagemaker import SageMakerClient


def with_tags(client: "SageMakerClient", description: Mapping[str, Any], arn: str) -> dict[str, Any]:
    """Returns the description with the resource's tags, in the form in which create requests have them."""
    pages = client.get_paginator("list_tags").paginate(ResourceArn=arn)
    return {**description, "Tags": [tag for page in pages for tag in page["Tags"]]}
