"""Converts how far SageMaker's request rates are used to an attribute of the ledger's item, and back."""

from scheduler.adapters.dynamodb.records.attribute_values import Item, plain
from scheduler.adapters.dynamodb.records.record_converter import converter
from scheduler.adapters.dynamodb.records.unreadable_records import read_or_placeholder
from scheduler.core.reconciliation.rate_limit import ApiCall, Bucket, RateLimits


def readable_rate_limits(ledger: Item) -> RateLimits:
    """Returns unused rates if the attribute is unreadable: SageMaker throttles calls that are too fast."""
    return read_or_placeholder(rate_limits_from, ledger, lambda _: {})


def rate_limits_from(ledger: Item) -> RateLimits:
    return converter.structure(plain(ledger).get("rate_limits", {}), dict[ApiCall, Bucket])


def rate_limit_values(rate_limits: RateLimits) -> dict[str, object]:
    values: dict[str, object] = converter.unstructure(dict(rate_limits), dict[ApiCall, Bucket])
    return values
