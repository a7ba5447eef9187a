"""The schema of the section `hangs`: when a program counts as hung, and how the queue reacts."""

from dataclasses import dataclass

from scheduler.core.idle_gpus.hangs.hang_rule import HangAction, HangRule
from scheduler.core.idle_gpus.watch_times import DAY, FOR_LATE_LINES, MINUTE, check_times
from scheduler.core.sections.durations import Duration
from scheduler.core.sections.schema import Schema
from scheduler.core.sections.strict_structure import check_field


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    """The rule as operators write it. Percentages are of one GPU, or of one core."""

    action: HangAction = HangAction.OFF
    window: Duration = 20 * MINUTE
    grace: Duration = 15 * MINUTE
    exempt_for: Duration = DAY
    gpu_percent: float = 1
    cpu_percent: float = 5

    def __post_init__(self) -> None:
        for name in ("gpu_percent", "cpu_percent"):
            check_field(name, 0 <= getattr(self, name) <= 100, "must be a number from 0 to 100")
        check_times(self, shortest_window=FOR_LATE_LINES)

    def rule(self) -> HangRule:
        return HangRule(
            action=self.action,
            minutes=self.window // MINUTE,
            grace_minutes=self.grace // MINUTE,
            exempt_minutes=self.exempt_for // MINUTE,
            gpu_percent=self.gpu_percent,
            cpu_percent=self.cpu_percent,
        )


SCHEMA = Schema(_Content, _Content.rule)
