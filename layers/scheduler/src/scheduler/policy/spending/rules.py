"""The limits on spending, as a document has them."""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from scheduler.domain.spending import SpendingLimit


@dataclass(frozen=True, slots=True)
class SpendingRules:
    time_zone: ZoneInfo  # in which months begin and end
    limits: tuple[SpendingLimit, ...]
