"""The rule for losses that are NaN: where a log shows them, and how the queue reacts."""

import re
from dataclasses import dataclass
from enum import StrEnum

from scheduler.core.idle_gpus.watch import Watch

#: Finds a loss as written by training loops, Keras, Lightning and transformers' Trainer, such as `'loss': nan`.
LOSS = r"(?i)loss['\"]?[=: ]{1,3}(?:tensor\()?['\"]?([-+]?(?:nan\b|inf\b|[0-9.]{1,24}))"


class NanAction(StrEnum):
    OFF = "off"
    WARN = "warn"
    WARN_THEN_STOP = "warn-then-stop"  # the job is stopped if all its losses are NaN for the watch's time again


@dataclass(frozen=True, slots=True, kw_only=True)
class NanRule(Watch):
    """Warns if the latest losses are NaN, and stops the job if all losses in the window after the warning are NaN."""

    grace_minutes: int = 0  # programs that load data write no loss
    action: NanAction = NanAction.OFF
    pattern: re.Pattern[str] = re.compile(LOSS)  # its group matches the number
    values: int = 5  # losses that a check must see

    @property
    def stops(self) -> bool:
        return self.action is NanAction.WARN_THEN_STOP
