"""That a limit on spending is nearly or wholly used: told once for each scope in a month, and kept so that it is."""

from datetime import datetime
from decimal import Decimal

from attrs import frozen

from scheduler.domain.spending import Scope, SpendingLimit, UseState


@frozen
class SpendingWarning:
    month: str  # 2026-11
    limit: SpendingLimit
    scope: Scope
    state: UseState  # NEAR or USED_UP
    used: Decimal
    at: datetime

    @property
    def key(self) -> str:
        """In its month. A limit that was raised or lowered since, or is of dollars now, is another one."""
        limit, scope = self.limit, self.scope
        return f"{limit.name}#{limit.most.normalize()} {limit.measure}#{self.state}#{scope.kind}#{scope.name}"
