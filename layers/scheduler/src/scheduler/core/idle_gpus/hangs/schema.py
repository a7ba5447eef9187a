"""The schema of the section `hangs`: when a program counts as hung, and how the queue reacts."""

from dataclasses import dataclass

from scheduler.core.idle_gpus.hangs.hang_rule import HangAction, HangRule
from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.core.sections.durations import Duration
from scheduler.core.sections.schema import Schema
from scheduler.core.sections.strict_structure import check_field

_MINUTE = 60
_DAY = 86_400  # seconds; with periods under an hour, CloudWatch evaluates at most a day (aws-facts 3.8)
#: Log lines may reach CloudWatch minutes after the program wrote them.
_SHORTEST_WINDOW = 5 * _MINUTE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    """The rule as operators write it. Percentages are of one GPU, or of one core."""

    action: HangAction = HangAction.OFF
    window: Duration = 20 * _MINUTE
    grace: Duration = 15 * _MINUTE
    exempt_for: Duration = _DAY
    gpu_percent: float = 1
    cpu_percent: float = 5

    def __post_init__(self) -> None:
        for name in ("gpu_percent", "cpu_percent"):
            check_field(name, 0 <= getattr(self, name) <= 100, "must be a number from 0 to 100")
        for name, least in (("window", _SHORTEST_WINDOW), ("grace", 0)):
            is_period = least <= getattr(self, name) <= _DAY and getattr(self, name) % _MINUTE == 0
            check_field(
                name, is_period, f"must be whole minutes from {least // _MINUTE}m to 24h: CloudWatch counts minutes"
            )

        is_allowed = 0 <= self.exempt_for <= MAX_MAX_RUNTIME and self.exempt_for % _MINUTE == 0
        check_field("exempt_for", is_allowed, "must be whole minutes from 0m to 28d, the longest run time")

    def rule(self) -> HangRule:
        return HangRule(
            action=self.action,
            minutes=self.window // _MINUTE,
            grace_minutes=self.grace // _MINUTE,
            exempt_minutes=self.exempt_for // _MINUTE,
            gpu_percent=self.gpu_percent,
            cpu_percent=self.cpu_percent,
        )


SCHEMA = Schema(_Content, _Content.rule)
