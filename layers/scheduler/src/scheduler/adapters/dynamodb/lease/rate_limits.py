"""How far SageMaker's request rates are used, as a part of the ledger's item and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb.records.attribute_values import plain
from scheduler.adapters.dynamodb.records.record_converter import converter
from scheduler.adapters.dynamodb.records.unreadable_records import read_or_instead
from scheduler.core.reconciliation.rate_limit import Bucket, Call, Pace

if TYPE_CHECKING:
    from scheduler.adapters.dynamodb.records.attribute_values import Item


def readable_pace(ledger: Item) -> Pace:
    """Full buckets, if need be: SageMaker throttles whoever is too fast."""
    return read_or_instead(pace_from, ledger, lambda _: {})


def pace_from(ledger: Item) -> Pace:
    return converter.structure(plain(ledger).get("pace", {}), dict[Call, Bucket])


def pace_values(pace: Pace) -> dict[str, object]:
    values: dict[str, object] = converter.unstructure(dict(pace), dict[Call, Bucket])
    return values
