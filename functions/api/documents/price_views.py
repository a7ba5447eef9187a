"""The JSON of what instances cost (docs/api.md)."""

from api.documents import price_answers
from api.http.views import document_view
from scheduler.core.documents.document import Document
from scheduler.core.spending.prices.price import PriceList

#: What holds where nobody has laid down prices.
NO_PRICES_TEXT = '{"format": 1, "as_of": "2026-11-22", "prices": []}'


def prices_view(document: Document | None, prices: PriceList) -> price_answers.Prices:
    kinds = sorted({*prices.known, *prices.spot_shares, *prices.gpus})
    return {
        **document_view(document, NO_PRICES_TEXT),
        "region": prices.region,
        "prices": {kind: _price_view(kind, prices) for kind in kinds},
    }


def _price_view(kind: str, prices: PriceList) -> price_answers.Price:
    price, share = prices.known.get(kind), prices.spot_shares.get(kind)
    return {
        "dollars_per_hour": float(price.per_hour) if price else None,
        "as_of": price.as_of.isoformat() if price else None,
        "source": price.source if price else None,
        "spot_share": None if share is None else float(share),
        "gpus": prices.gpus_of(kind),
    }
