"""The schema of the section `idle_gpus`: when GPUs count as idle, and how the queue reacts."""

from dataclasses import dataclass

from scheduler.core.idle_gpus.idle_rule import IdleAction, IdleRule, UnderusedAction
from scheduler.core.idle_gpus.watch_times import DAY, MINUTE, check_times
from scheduler.core.sections.durations import Duration
from scheduler.core.sections.schema import Schema
from scheduler.core.sections.strict_structure import check_field


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    """The rule as operators write it. Percentages are of one GPU of an instance."""

    action: IdleAction = IdleAction.WARN_THEN_STOP
    percent: float = 1
    window: Duration = 15 * MINUTE
    grace: Duration = 15 * MINUTE
    exempt_for: Duration = DAY
    minimum_utilisation: float = 0
    underused: UnderusedAction = UnderusedAction.WARN

    def __post_init__(self) -> None:
        for name in ("percent", "minimum_utilisation"):
            check_field(name, 0 <= getattr(self, name) <= 100, "must be a number from 0 to 100")
        check_times(self, shortest_window=MINUTE)

        stops_underused = self.underused is UnderusedAction.WARN_THEN_STOP
        has_floor = not stops_underused or self.minimum_utilisation > 0
        check_field("underused", has_floor, "is warn-then-stop: set minimum_utilisation, which is 0")
        is_ordered = not stops_underused or self.action in {IdleAction.STOP, IdleAction.WARN_THEN_STOP}
        check_field(
            "underused", is_ordered, "would stop busier jobs than action does: set action to stop or warn-then-stop"
        )

    def rule(self) -> IdleRule:
        return IdleRule(
            action=self.action,
            percent=self.percent,
            minutes=self.window // MINUTE,
            grace_minutes=self.grace // MINUTE,
            exempt_minutes=self.exempt_for // MINUTE,
            minimum_utilisation=self.minimum_utilisation,
            underused=self.underused,
        )


SCHEMA = Schema(_Content, _Content.rule)
