"""Chooses faults at random. Each seed enables a few kinds, each at its own rate, so that rare kinds also occur."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from support.faults.call_faults import Call, Fate, Verdict
from support.faults.creation_outages import Outages

_ANY = (Fate.DIES_BEFORE, Fate.DIES_AFTER, Fate.FAILS, Fate.LOSES_ANSWER, Fate.IS_THROTTLED)
FATES = {
    "dynamodb": (*_ANY, Fate.IS_RESENT, Fate.CONFLICTS),
    "sagemaker": (*_ANY, Fate.COMES_LATE, Fate.IS_REFUSED, Fate.IS_OVER_QUOTA),
    "s3": _ANY,
    "cloudwatch": _ANY,
    "sns": _ANY,
}
#: Rarely called services fail more often. Notices are the rarest calls.
_MORE_OFTEN = {"dynamodb": 1, "sns": 32}
#: Few worlds have tuning jobs, and each of these calls is made once for an attempt.
_RARE_CALLS = {"CreateHyperParameterTuningJob": 8}


@dataclass
class RandomFaults:
    random: Random
    met: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        rates = {
            service: [(fate, self._rate() * _MORE_OFTEN.get(service, 8)) for fate in fates]
            for service, fates in FATES.items()
        }
        # Fates with a rate of 0 are left out: this runs at each call.
        self._rates = {service: [(fate, rate) for fate, rate in these if rate] for service, these in rates.items()}
        self._outages = Outages(self.random, self.random.choice([0.0, 0.2, 0.5]))
        self._pauses = self._rate()
        self._slow = self._rate() * 4
        self._events_lost, self._events_doubled, self._events_late = (4 * self._rate() for _ in range(3))
        self._sweeps_lost = self._rate()
        self._lag = self.random.choice([0.0, 5.0, 30.0, 30.0])
        self._skew = self.random.choice([0.0, 0.0, 2.0, 5.0])
        self._cold = self.random.choice([0.0, 0.3, 1.0])

    def verdict_on(self, call: Call) -> Verdict:
        takes = self.random.uniform(0.005, 0.05)
        if self._happens(self._slow):
            takes = self.random.uniform(0.5, 9.0)
        pauses = 0.0
        # A pause before a transaction may be longer (LONGEST_LIFE_BEFORE_TRANSACTION), and should be tried often.
        often = 5 if call.operation == "TransactWriteItems" else 1
        if call.function == "schedule" and self._happens(self._pauses * often):
            self.met["paused function"] += 1
            pauses = self.random.uniform(30.0, 300.0)
        if call.operation == "CreateTrainingJob" and (fate := self._outages.fate(call)):
            self.met[f"{call.service}: {fate}"] += 1
            return Verdict(fate, takes, pauses)
        more = _RARE_CALLS.get(call.operation, 1)
        for fate, rate in self._rates.get(call.service, ()):
            if can_meet(call, fate) and self._happens(rate * more):
                self.met[f"{call.service}: {fate}"] += 1
                return Verdict(fate, takes, pauses)
        return Verdict(Fate.WORKS, takes, pauses)

    def event_arrivals(self) -> tuple[float, ...]:
        if self._happens(self._events_lost):
            self.met["event lost"] += 1
            return ()
        first = self.random.uniform(0.1, 2.0)
        if self._happens(self._events_late):
            self.met["event late, overtaken"] += 1
            first = self.random.uniform(30, 3600)
        if self._happens(self._events_doubled):
            self.met["event doubled"] += 1
            return first, first + self.random.uniform(0, 120)
        return (first,)

    def sweep_arrivals(self) -> tuple[float, ...]:
        if self._happens(self._sweeps_lost):
            self.met["sweep lost"] += 1
            return ()
        if self._happens(self._sweeps_lost):
            self.met["two sweeps at once"] += 1
            return 0.0, self.random.uniform(0, 1)
        return (self.random.uniform(0, 2),)

    def stream_delay(self) -> float:
        return self.random.uniform(0.02, 1.0)

    def index_lag(self) -> float:
        return self.random.uniform(0, self._lag)

    def clock_skew(self) -> float:
        return self.random.uniform(-self._skew, self._skew)

    def is_cold_start(self) -> bool:
        return self._happens(self._cold)

    def late_effect(self, operation: str) -> float:
        is_long = operation == "CreateTrainingJob" and self._happens(0.5)
        return self.random.uniform(60.0, 100.0) if is_long else self.random.uniform(0.1, 10.0)

    def _rate(self) -> float:
        return self.random.choice([0.0, 0.0, 0.002, 0.01, 0.03])

    def _happens(self, chance: float) -> bool:
        return chance > 0 and self.random.random() < chance


def can_meet(call: Call, fate: Fate) -> bool:
    match fate:
        case Fate.CONFLICTS:
            return call.operation == "TransactWriteItems"
        case Fate.IS_REFUSED | Fate.IS_OVER_QUOTA:
            return call.operation == "CreateTrainingJob"
        case Fate.COMES_LATE:
            return call.operation.startswith(("Create", "Stop")) and call.service == "sagemaker"
    return True
