"""The rule for hangs: when a program counts as hung, and how the queue reacts."""

from dataclasses import dataclass
from enum import StrEnum

from scheduler.core.idle_gpus.watch import Watch


class HangAction(StrEnum):
    OFF = "off"
    WARN = "warn"
    STOP = "stop"
    STOP_AND_RETRY = "stop-and-retry"  # the job runs again once; a second hang ends it


@dataclass(frozen=True, slots=True, kw_only=True)
class HangRule(Watch):
    """The limits below which a program counts as hung, if it also wrote no log line during the watch."""

    minutes: int = 20  # shorter than a warning and a stop by the default rule for idle GPUs, which retries no job
    action: HangAction = HangAction.OFF
    gpu_percent: float = 1  # percentage of one of an instance's GPUs
    cpu_percent: float = 5  # percentage of one of an instance's cores, for instances without GPUs

    @property
    def stops(self) -> bool:
        return self.action in {HangAction.STOP, HangAction.STOP_AND_RETRY}
