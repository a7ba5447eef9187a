"""Simulates outages of CreateTrainingJob. During recovery, every second Create for a name takes effect late."""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import cycle
from random import Random

from support.faults.call_faults import Call, Fate

_WHILE_IT_RECOVERS = (Fate.COMES_LATE, Fate.IS_OVER_QUOTA)
_RECOVERS_SECONDS = 300.0


@dataclass
class Outages:
    random: Random
    rate: float  # chance of one at each Create
    _ends_at: float = -_RECOVERS_SECONDS
    _fates: defaultdict[str, "cycle[Fate]"] = field(
        default_factory=lambda: defaultdict(lambda: cycle(_WHILE_IT_RECOVERS))
    )

    def fate(self, create: Call) -> Fate | None:
        """Returns the fate of a Create; None if there is no outage."""
        now = create.sent_at
        if now >= self._ends_at + _RECOVERS_SECONDS and self.rate > 0 and self.random.random() < self.rate:
            self._ends_at = now + self.random.uniform(200, 500)
        if now < self._ends_at:
            return Fate.FAILS
        return next(self._fates[create.about]) if now < self._ends_at + _RECOVERS_SECONDS else None
