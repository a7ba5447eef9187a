"""GET and PUT of the prices document, and the prices that the queue calculates costs with."""

from typing_extensions import TypedDict

from api.documents.versions import DocumentAnswer, document_view, replaced_version
from api.http.answers import Day
from api.http.call import Call
from scheduler.core.callers.permissions import Verb
from scheduler.core.documents.document import Document
from scheduler.core.spending.prices.price import PriceList
from scheduler.wiring import config, shared

#: The document that has the same effect as none.
NO_PRICES_TEXT = '{"format": 1, "as_of": "2026-11-22", "prices": []}'


class Price(TypedDict):
    """The price of one on-demand instance, in US dollars; null if it is not known."""

    dollars_per_hour: float | None
    as_of: Day | None
    source: str | None
    spot_share: float | None
    gpus: int


class Prices(DocumentAnswer):
    """The applied prices document, version 0 if there is none, and every known price by instance type."""

    region: str
    prices: dict[str, Price]


def get_prices(_call: Call) -> Prices:
    return _prices_view(*config.prices_editor().get())


def apply_prices(call: Call) -> Prices:
    shared.authorization().require(Verb.OPERATE, call.caller)
    return _prices_view(*config.prices_editor().apply(call.body, call.caller, replaced_version(call)))


def _prices_view(document: Document | None, prices: PriceList) -> Prices:
    instance_types = sorted({*prices.known, *prices.spot_shares, *prices.gpus})
    return {
        **document_view(document, NO_PRICES_TEXT),
        "region": prices.region,
        "prices": {instance_type: _price_view(instance_type, prices) for instance_type in instance_types},
    }


def _price_view(instance_type: str, prices: PriceList) -> Price:
    price, share = prices.known.get(instance_type), prices.spot_shares.get(instance_type)
    return {
        "dollars_per_hour": float(price.per_hour) if price else None,
        "as_of": price.as_of.isoformat() if price else None,
        "source": price.source if price else None,
        "spot_share": None if share is None else float(share),
        "gpus": prices.gpus_of(instance_type),
    }
