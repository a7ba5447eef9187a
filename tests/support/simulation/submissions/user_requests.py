"""Records what users and operators requested and the queue accepted, for the judges."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: Part of each request's hyperparameters and environment. Must not appear anywhere else.
SECRET = "canary-5f1e"


@dataclass(frozen=True, slots=True)
class Applied:
    """An operator's request: the sections of a file, or the sections of an older version."""

    author: str
    sections: Mapping[str, Any]
    keeps_others: bool = True

    def over(self, before: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns the sections of the new version."""
        return {**before, **self.sections} if self.keeps_others else self.sections


@dataclass
class UserRequests:
    accepted: dict[str, dict[str, Any]] = field(default_factory=dict)  # requests by job name
    processing: dict[str, dict[str, Any]] = field(default_factory=dict)  # accepted ones for processing jobs
    #: The requests of the children of all submitted arrays, and of jobs that wait for arrays, by job name.
    children: dict[str, dict[str, Any]] = field(default_factory=dict)
    arrays: set[str] = field(default_factory=set)  # accepted ones
    cancelled_arrays: set[str] = field(default_factory=set)
    tuning: dict[str, dict[str, Any]] = field(default_factory=dict)  # accepted requests for tuning jobs by job name
    tags: dict[str, dict[str, str]] = field(default_factory=dict)  # by job name, of all requests sent
    cancelled: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    revived: set[str] = field(default_factory=set)  # jobs that a user requeued, perhaps without getting an answer
    priorities_changed_at: dict[str, float] = field(default_factory=dict)
    #: The time limits in seconds that a job's attempts may have after updates, by job name. None is the limit as
    #: submitted.
    time_limits: dict[str, set[int | None]] = field(default_factory=lambda: defaultdict(lambda: {None}))
    stopped_in_console: set[str] = field(default_factory=set)  # attempts
    deleted: set[str] = field(default_factory=set)  # attempts
    tokens: dict[str, str] = field(default_factory=dict)  # names of jobs by token of a callback that was accepted
    steps: dict[str, str] = field(default_factory=dict)  # names of jobs by token of a pipeline's step, sent or accepted
    accepted_steps: set[str] = field(default_factory=set)  # tokens
    #: The names of jobs by each bus and URL that an accepted submission named as a receiver.
    receivers: dict[str, str] = field(default_factory=dict)
    applied: list[Applied] = field(default_factory=list)  # perhaps without an answer
