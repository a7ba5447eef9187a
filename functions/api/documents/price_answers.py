"""The JSON of what instances cost (docs/api.md), as types."""

from typing_extensions import TypedDict

from api.http import answers


class Price(TypedDict):
    """Of one instance, on demand, in US dollars; null where it is not known."""

    dollars_per_hour: float | None
    as_of: answers.Day | None
    source: str | None
    spot_share: float | None
    gpus: int


class Prices(answers.Document):
    """The operators' document, version 0 if there is none, and with it all prices that are known, by instance type."""

    region: str
    prices: dict[str, Price]
