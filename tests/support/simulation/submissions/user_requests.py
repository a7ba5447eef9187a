"""Records what users requested and the queue accepted, for the judges."""

from dataclasses import dataclass, field
from typing import Any

#: Part of each request's hyperparameters and environment. Must not appear anywhere else.
SECRET = "canary-5f1e"


@dataclass
class UserRequests:
    accepted: dict[str, dict[str, Any]] = field(default_factory=dict)  # requests by job name
    cancelled: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    revived: set[str] = field(default_factory=set)  # jobs that a user requeued, perhaps without an answer
    priorities_changed_at: dict[str, float] = field(default_factory=dict)
    stopped_in_console: set[str] = field(default_factory=set)  # attempts
    deleted: set[str] = field(default_factory=set)  # attempts
