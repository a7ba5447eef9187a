"""Decides on faults of the calls by which callbacks reach buses, the queue of webhooks, and HTTPS endpoints.

They have a separate random generator, and continue while the rest of a world is calm: most jobs end then.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from support.faults.call_faults import Call, Fate, Verdict

FUNCTIONS = frozenset({"callbacks", "webhooks"})
SERVICES = ("events", "sqs", "https")
FATES = (Fate.DIES_BEFORE, Fate.DIES_AFTER, Fate.FAILS, Fate.LOSES_ANSWER, Fate.IS_THROTTLED)


@dataclass
class ReportFaults:
    random: Random
    rate: float  # of each fate; 0 ends the faults
    met: Counter[str] = field(default_factory=Counter)

    def verdict_on(self, call: Call) -> Verdict | None:
        """Returns None if the call is not a report, or if there are no faults: then, the fault plan decides."""
        if not self.rate or call.function not in FUNCTIONS or call.service not in SERVICES:
            return None
        (fate,) = self.random.choices([*FATES, Fate.WORKS], [*[self.rate] * len(FATES), 1 - self.rate * len(FATES)])
        if fate is not Fate.WORKS:
            self.met[f"{call.service}: {fate}"] += 1
        return Verdict(fate, self.random.uniform(0.005, 0.05))

    def message_arrivals(self) -> tuple[float, ...]:
        """Returns the delay in seconds of each delivery of a message in SQS. SQS loses no message."""
        if not self.rate:
            return (1.0,)
        first = self.random.choice([1.0, 1.0, self.random.uniform(30, 600)])
        if self.random.random() < 0.25:
            self.met["message doubled"] += 1
            return first, first + self.random.uniform(0, 120)
        return (first,)


def no_report_faults() -> ReportFaults:
    return ReportFaults(Random(0), rate=0.0)  # noqa: S311 - worlds, not secrets
