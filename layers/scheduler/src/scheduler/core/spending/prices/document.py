"""The document of prices: JSON text that becomes a price list, or a list of everything that is wrong with it."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from attrs import frozen
from cattrs import Converter

from scheduler.core.documents import document_reading
from scheduler.core.documents.contradiction import contradiction
from scheduler.core.documents.document_reading import Found
from scheduler.core.documents.strict_structure import strict_converter
from scheduler.core.spending.prices.price import Price, PriceList
from scheduler.errors.config_errors import BadPrices

_SOURCE = "laid down by operators"
_TYPE = re.compile(r"ml\.[a-z0-9-]{1,40}\.[a-z0-9-]{1,40}")
#: Far above any: an upper bound that finds cents taken for dollars.
_MOST_DOLLARS = 10_000
_MOST_GPUS = 1024
_CENTURY = (2000, 2100)


@frozen(kw_only=True)
class _Line:
    """As it is written: what is left out stays as it is known."""

    instance_type: str
    dollars_per_hour: Decimal | None = None
    spot_share: Decimal | None = None
    gpus: int | None = None

    def __attrs_post_init__(self) -> None:
        if not _TYPE.fullmatch(self.instance_type):
            raise contradiction("instance_type", "is no instance type such as ml.g5.xlarge")
        if self.dollars_per_hour is None and self.spot_share is None and self.gpus is None:
            raise contradiction("dollars_per_hour", "is missing, or spot_share, or gpus: the entry says nothing")
        if self.dollars_per_hour is not None and not 0 < self.dollars_per_hour <= _MOST_DOLLARS:
            raise contradiction("dollars_per_hour", f"must be above 0, and at most {_MOST_DOLLARS}")
        if self.spot_share is not None and not 0 < self.spot_share <= 1:
            raise contradiction(
                "spot_share", "must be above 0, and at most 1: it is the part of the time that is billed"
            )
        if self.gpus is not None and not 0 <= self.gpus <= _MOST_GPUS:
            raise contradiction("gpus", f"must be 0 to {_MOST_GPUS}")


@frozen(kw_only=True)
class _Content:
    as_of: date
    prices: tuple[_Line, ...]


def in_force(text: str, base: PriceList) -> PriceList:
    """A document that was accepted once, over what is known without it. Raises BadPrices."""
    content = _content_of(text)
    own = {
        line.instance_type: Price(line.dollars_per_hour, content.as_of, _SOURCE)
        for line in content.prices
        if line.dollars_per_hour is not None
    }
    shares = {line.instance_type: line.spot_share for line in content.prices if line.spot_share is not None}
    gpus = {line.instance_type: line.gpus for line in content.prices if line.gpus is not None}
    return PriceList({**base.known, **own}, base.region, shares, gpus)


def accepted(text: str, base: PriceList, latest: date) -> PriceList:
    """Read a new document. Raises BadPrices for anything in it that is wrong."""
    document_reading.refuse_ambiguous(text, BadPrices)
    document_reading.refuse_found(text, _odd(_content_of(text), latest), BadPrices)
    return in_force(text, base)


@lru_cache(maxsize=4)  # every call that tells of money asks for the document that is in force
def _content_of(text: str) -> _Content:
    return document_reading.read(text, _structured, BadPrices)


def _odd(content: _Content, latest: date) -> Iterator[Found]:
    if content.as_of > latest:
        yield "as_of", "is a day to come: it tells from when the prices are"
    seen: set[str] = set()
    for index, line in enumerate(content.prices):
        if line.instance_type in seen:
            yield f"prices[{index}].instance_type", f"{line.instance_type} has an entry above"
        seen.add(line.instance_type)


def _structured(document: Mapping[str, Any]) -> _Content:
    return _converter.structure(document, _Content)


def _number(value: Any, _: object) -> Decimal | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise ValueError("must be a number")
    return None if value is None else Decimal(str(value))


def _day(text: Any, _: object) -> date:
    try:
        day = date.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise ValueError("must be a day such as 2026-11-22") from error
    if not _CENTURY[0] <= day.year < _CENTURY[1]:
        raise ValueError("must be a day of this century")
    return day


def _make_converter() -> Converter:
    converter = strict_converter()
    converter.register_structure_hook(date, _day)
    converter.register_structure_hook_func(lambda kind: kind == Decimal | None, _number)
    return converter


_converter = _make_converter()
