"""Holds one owner's part of the queue at the time of a digest."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class OwnerNow:
    live: list[tuple[str, str]] = field(default_factory=list)  # jobs with an attempt; their states, unless they run
    waiting: int = 0  # the number of jobs
    waits: list[tuple[str, str]] = field(default_factory=list)  # the first waiting jobs, and the reasons why they wait
    parked: int = 0
    parks: list[tuple[str, str]] = field(default_factory=list)  # the first parked jobs, and the reasons
    held: int = 0
    limits: list[str] = field(default_factory=list)  # sentences about the use of spending limits
