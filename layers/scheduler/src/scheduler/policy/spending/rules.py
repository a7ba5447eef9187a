"""The limits on spending, as a document has them."""

from zoneinfo import ZoneInfo

from attrs import frozen

from scheduler.domain.spending import SpendingLimit


@frozen
class SpendingRules:
    time_zone: ZoneInfo  # in which months begin and end
    limits: tuple[SpendingLimit, ...]
