"""Holds one owner's part of the queue at the time of a digest."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class OwnerNow:
    running: list[str] = field(default_factory=list)  # names of jobs
    waiting: int = 0  # the number of jobs
    waits: list[tuple[str, str]] = field(default_factory=list)  # the first waiting jobs, and the reasons why they wait
    held: int = 0
    parked: int = 0
    limits: list[str] = field(default_factory=list)  # sentences about the use of spending limits
