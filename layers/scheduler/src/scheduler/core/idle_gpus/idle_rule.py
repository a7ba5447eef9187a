"""The operators' settings for idle GPUs: when GPUs count as idle, and what the queue does then."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta
from enum import StrEnum
from typing import Any

from scheduler.core.documents.setting_values import choice_of
from scheduler.errors.internal import BadSetting

#: Settings that must be whole numbers, because CloudWatch counts whole periods.
_WHOLE = {"minutes", "grace_minutes"}
_LIMITS = {
    "percent": (0, 100),
    "minutes": (1, 1440),  # CloudWatch evaluates at most a day of periods under an hour (aws-facts 3.8)
    "grace_minutes": (0, 1440),
    "minimum_utilisation": (0, 100),
}


class IdleAction(StrEnum):
    OFF = "off"
    WARN = "warn"
    STOP = "stop"
    WARN_THEN_STOP = "warn-then-stop"  # the owner is warned first; the job is stopped if it stays idle as long again


@dataclass(frozen=True, slots=True, kw_only=True)
class IdleRule:
    """The limits below which GPUs count as idle, and the action then. Percentages are of one GPU of an instance."""

    action: IdleAction = IdleAction.OFF
    percent: float = 1  # GPUs are idle if none of any host was ever busier than this …
    minutes: int = 15  # … for this long
    grace_minutes: int = 15  # from the start of training, in which GPUs may be idle
    minimum_utilisation: float = 0  # owners are warned if the average stays below; 0 turns it off

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> "IdleRule":
        """Parses the stack's setting. Raises BadSetting with the key and what is allowed."""
        known = {setting.name for setting in fields(cls)}
        if unknown := sorted(values.keys() - known):
            raise BadSetting(unknown[0], f"is not a setting of idle GPUs; use one of {', '.join(sorted(known))}")
        for name, (low, high) in _LIMITS.items():
            value = values.get(name, low)
            if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
                raise BadSetting(name, f"{value!r} is not a number from {low} to {high}")
            if name in _WHOLE and not isinstance(value, int):
                raise BadSetting(name, f"{value!r} is not a whole number")
        action = choice_of(IdleAction, "action", values.get("action", IdleAction.OFF))
        return cls(**{**values, "action": action})

    @property
    def window(self) -> timedelta:
        return timedelta(minutes=self.minutes)

    @property
    def grace(self) -> timedelta:
        return timedelta(minutes=self.grace_minutes)

    @property
    def period(self) -> int:
        """Returns seconds: five minutes if they divide the window, otherwise the one minute of SageMaker's metrics."""
        return 300 if self.minutes % 5 == 0 else 60

    @property
    def periods(self) -> int:
        return self.minutes * 60 // self.period

    @property
    def stops(self) -> bool:
        return self.action in {IdleAction.STOP, IdleAction.WARN_THEN_STOP}
