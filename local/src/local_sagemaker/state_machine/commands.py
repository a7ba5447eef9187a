"""What the world asks of the shell around it, and what the shell reports back.

The world decides; the shell does the real work (or pretends to, in a simulation).
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class StateChanged:
    """Deliver this event as EventBridge would."""

    event: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Prepare:
    """Bring code, data and checkpoints; report Prepared or Broke."""

    name: str


@dataclass(frozen=True, slots=True)
class Run:
    """Start the algorithm on every host; report Exited."""

    name: str


@dataclass(frozen=True, slots=True)
class Terminate:
    """Send SIGTERM. The report of the end is Exited, as ever."""

    name: str


@dataclass(frozen=True, slots=True)
class Kill:
    """Send SIGKILL; report Exited."""

    name: str


@dataclass(frozen=True, slots=True)
class Upload:
    """Upload checkpoints, outputs and the model; report Uploaded or Broke."""

    name: str


@dataclass(frozen=True, slots=True)
class Discard:
    """The instances are gone: forget the work on them."""

    name: str


Command = Prepare | Run | Terminate | Kill | Upload | Discard
Effect = StateChanged | Command


@dataclass(frozen=True, slots=True)
class Prepared:
    pass


@dataclass(frozen=True, slots=True)
class Exited:
    code: int
    message: str = ""  # the end of stderr


@dataclass(frozen=True, slots=True)
class Uploaded:
    pass


@dataclass(frozen=True, slots=True)
class Broke:
    """The service around the algorithm failed; the reason starts with `ClientError: ` or `InternalServerError: `."""

    reason: str


Report = Prepared | Exited | Uploaded | Broke
