"""Defines the commands of the state machine to its runner, and the reports that the runner sends back.

The state machine makes the decisions. The runner does the real work, or simulates it.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class StateChanged:
    """Deliver this event as EventBridge would."""

    event: dict[str, Any]

    def __str__(self) -> str:
        return f"event {self.event['id']} of {self.event['resources'][0]}"


@dataclass(frozen=True, slots=True)
class MessageSent:
    """Send this text to an SQS queue."""

    queue_url: str
    body: str = field(repr=False)  # it has a secret token

    def __str__(self) -> str:
        return f"a message to {self.queue_url}"


@dataclass(frozen=True, slots=True)
class Prepare:
    """Download code, data and checkpoints; report Prepared or RunFailed."""

    name: str


@dataclass(frozen=True, slots=True)
class Run:
    """Start the algorithm on every host; report Exited."""

    name: str


@dataclass(frozen=True, slots=True)
class Terminate:
    """Send SIGTERM. The end of the algorithm is reported as Exited, as usual."""

    name: str


@dataclass(frozen=True, slots=True)
class Kill:
    """Send SIGKILL; report Exited."""

    name: str


@dataclass(frozen=True, slots=True)
class Upload:
    """Upload checkpoints, outputs and the model; report Uploaded or RunFailed."""

    name: str


@dataclass(frozen=True, slots=True)
class Discard:
    """The job has lost its instances: stop its work."""

    name: str


Command = Prepare | Run | Terminate | Kill | Upload | Discard
Effect = StateChanged | MessageSent | Command


@dataclass(frozen=True, slots=True)
class Prepared:
    pass


@dataclass(frozen=True, slots=True)
class MetricValue:
    """A value that the request's MetricDefinitions found in the log."""

    name: str
    value: float
    at: float  # seconds since the epoch


@dataclass(frozen=True, slots=True)
class Measured:
    """The running algorithm has printed values of metrics."""

    metrics: tuple[MetricValue, ...]


@dataclass(frozen=True, slots=True)
class Exited:
    code: int
    message: str = ""  # the end of stderr
    metrics: tuple[MetricValue, ...] = ()  # the last value of each metric


@dataclass(frozen=True, slots=True)
class Uploaded:
    pass


@dataclass(frozen=True, slots=True)
class RunFailed:
    """The service failed, not the algorithm. The reason starts with `ClientError: ` or `InternalServerError: `."""

    reason: str


Report = Prepared | Measured | Exited | Uploaded | RunFailed
