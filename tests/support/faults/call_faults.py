"""Defines the faults that can affect a call, and the interface that chooses them."""

from enum import StrEnum
from typing import NamedTuple, Protocol


class Fate(StrEnum):
    """The outcome of one call by a function."""

    WORKS = "works"
    DIES_BEFORE = "process dies before the call"
    DIES_AFTER = "process dies after the call"
    FAILS = "call fails without effect, but its caller does not know that"
    LOSES_ANSWER = "call takes effect, but its answer is lost"
    COMES_LATE = "call takes effect after its caller gave up"
    IS_RESENT = "answer is lost, and the SDK resends the call"
    IS_THROTTLED = "call is throttled"
    IS_REFUSED = "call is refused: SageMaker does not know the role everywhere yet"
    IS_OVER_QUOTA = "call is refused: other training jobs fill the quota"
    CONFLICTS = "transaction conflicts with another"


class Call(NamedTuple):
    """A call by a function. The call and its verdict are tuples, because a world creates thousands of them."""

    function: str  # the Lambda function that makes it
    service: str
    operation: str
    number: int  # among all calls of the run, from 1
    about: str = ""  # the name of a training job, or keys of records
    sent_at: float = 0.0


class Verdict(NamedTuple):
    fate: Fate = Fate.WORKS
    takes: float = 0.02  # seconds until the call reaches the service
    pauses: float = 0.0  # seconds that the process and its timeout pause before that


class FaultPlan(Protocol):
    """Chooses faults. All durations are in seconds."""

    def verdict_on(self, call: Call, /) -> Verdict: ...

    def event_arrivals(self) -> tuple[float, ...]:
        """Returns the delay of each delivery of an event. An empty tuple loses the event."""

    def sweep_arrivals(self) -> tuple[float, ...]: ...

    def stream_delay(self) -> float: ...

    def index_lag(self) -> float: ...

    def clock_skew(self) -> float: ...

    def is_cold_start(self) -> bool: ...

    def late_effect(self, operation: str, /) -> float:
        """Returns how many seconds after its timeout a call takes effect."""


class NoFaults:
    """Makes every call succeed quickly."""

    def verdict_on(self, _call: Call) -> Verdict:
        return Verdict()

    def event_arrivals(self) -> tuple[float, ...]:
        return (1.0,)

    def sweep_arrivals(self) -> tuple[float, ...]:
        return (0.0,)

    def stream_delay(self) -> float:
        return 0.2

    def index_lag(self) -> float:
        return 0.0

    def clock_skew(self) -> float:
        return 0.0

    def is_cold_start(self) -> bool:
        return False

    def late_effect(self, _operation: str) -> float:
        return 0.0


class NoEvents(NoFaults):
    """Makes every call succeed, but delivers no event, so that sweeps must find everything."""

    def event_arrivals(self) -> tuple[float, ...]:
        return ()
