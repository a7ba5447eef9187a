"""What was told last of the head of the queue, as a DynamoDB item and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb_notation import plain
from scheduler.adapters.quarantine import read_or_instead
from scheduler.adapters.record_notation import converter, record
from scheduler.domain.head import Head

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from scheduler.adapters.dynamodb_notation import Item

HEAD = "HEAD"


def head_item(head: Head, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    return head_key() | record(converter.unstructure(head), changed_by)


def head_from(item: Item) -> Head:
    return converter.structure(plain(item), Head)


def head_key() -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": HEAD}, "sk": {"S": HEAD}}


def readable_head(item: Item) -> Head | None:
    """Told anew, if need be."""
    return read_or_instead(head_from, item, lambda _: None)
