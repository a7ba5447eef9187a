"""What may happen to a call, and who decides on it."""

from enum import StrEnum
from typing import NamedTuple, Protocol


class Fate(StrEnum):
    """What becomes of one call of one of our functions."""

    WORKS = "works"
    DIES_BEFORE = "process dies before the call"
    DIES_AFTER = "process dies after the call"
    FAILS = "call fails without effect, the caller cannot know"
    LOSES_ANSWER = "call takes effect, its answer is lost"
    COMES_LATE = "call takes effect after its caller gave up"
    IS_RESENT = "answer is lost, the SDK sends the call again"
    IS_THROTTLED = "call is throttled"
    IS_REFUSED = "call is refused: a role that is not known everywhere yet"
    IS_OVER_QUOTA = "call is refused: others fill the quota"
    CONFLICTS = "transaction conflicts with another"


class Call(NamedTuple):
    """A tuple, as its verdict, because each world makes thousands."""

    function: str  # which of our Lambda functions makes it
    service: str
    operation: str
    number: int  # among all calls of the run, from 1
    about: str = ""  # a training job's name
    sent_at: float = 0.0


class Verdict(NamedTuple):
    fate: Fate = Fate.WORKS
    takes: float = 0.02  # seconds until the call reaches the service
    pauses: float = 0.0  # seconds that the whole process stands still before that, its timeout too


class FaultPlan(Protocol):
    """Decides what goes wrong. Seconds throughout."""

    def of_call(self, call: Call, /) -> Verdict: ...

    def event_arrivals(self) -> tuple[float, ...]:
        """How late an event comes, once per delivery; () loses it."""

    def sweep_arrivals(self) -> tuple[float, ...]: ...

    def stream_delay(self) -> float: ...

    def index_lag(self) -> float: ...

    def clock_skew(self) -> float: ...

    def is_cold_start(self) -> bool: ...

    def late_effect(self, operation: str, /) -> float:
        """How long after its caller gave up a call takes effect."""


class NoFaults:
    """Everything works, and quickly."""

    def of_call(self, _call: Call) -> Verdict:
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
    """Sweeps must be enough."""

    def event_arrivals(self) -> tuple[float, ...]:
        return ()
