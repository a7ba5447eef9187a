"""What people asked for and were promised: what the invariants hold the queue against."""

from dataclasses import dataclass, field
from typing import Any

#: In each request's hyperparameters and environment; must be nowhere else.
SECRET = "canary-5f1e"


@dataclass
class UserRequests:
    accepted: dict[str, dict[str, Any]] = field(default_factory=dict)  # the bodies, by name
    cancelled: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    revived: set[str] = field(default_factory=set)  # somebody asked for another attempt, and may have got it
    priorities_changed_at: dict[str, float] = field(default_factory=dict)
    stopped_in_console: set[str] = field(default_factory=set)  # attempts
    deleted: set[str] = field(default_factory=set)  # attempts
