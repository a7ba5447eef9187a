"""The rule for idle GPUs: when GPUs count as idle, and how the queue reacts."""

from dataclasses import dataclass
from enum import StrEnum

from scheduler.core.idle_gpus.watch import Watch


class IdleAction(StrEnum):
    OFF = "off"
    WARN = "warn"
    STOP = "stop"
    WARN_THEN_STOP = "warn-then-stop"  # the owner is warned first; the job is stopped if it stays idle that long again


class UnderusedAction(StrEnum):
    WARN = "warn"
    WARN_THEN_STOP = "warn-then-stop"  # the job is stopped if its average stays as low for the same time again


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleRule(Watch):
    """The limits below which GPUs count as idle, and the action to take. Percentages are of one GPU of an instance."""

    action: IdleAction = IdleAction.OFF
    percent: float = 1  # GPUs are idle if no GPU of any host was busier than this during the watch
    minimum_utilisation: float = 0  # GPUs are underused if the average percentage stays below this; 0 turns it off
    underused: UnderusedAction = UnderusedAction.WARN

    @property
    def stops(self) -> bool:
        return self.action in {IdleAction.STOP, IdleAction.WARN_THEN_STOP}

    @property
    def stops_underused(self) -> bool:
        return self.underused is UnderusedAction.WARN_THEN_STOP
