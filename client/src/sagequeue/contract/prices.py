"""What instances cost."""

from typing import TypedDict

from sagequeue.contract.documents import Document


class Price(TypedDict):
    """Of one instance, on demand, in US dollars; `spot_share` is the part of spot training that operators expect to be
    billed."""

    dollars_per_hour: float | None
    as_of: str | None
    source: str | None
    spot_share: float | None
    gpus: int


class Prices(Document):
    """`prices` are those that are known, by instance type."""

    region: str
    prices: dict[str, Price]
