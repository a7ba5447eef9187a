"""Defines the settings of the planner as one frozen value, validated when it is created."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import AS_POLICY_SAYS, Ordering, Team, TeamSettings, team_of
from scheduler.core.sections.durations import Duration, format_duration
from scheduler.core.sections.strict_structure import checking_all_fields
from scheduler.core.spending.prices.usage_weights import UsageWeights

_WEEK = 7 * 86_400
_YEAR = 365 * 86_400
_MOST_WEIGHT = 10_000


TEAM_SETTINGS = tuple(setting.name for setting in fields(TeamSettings))
#: The range of each setting.
RANGES: Mapping[str, tuple[float, float]] = {
    "patience": (0, _WEEK),
    "protected_run_time": (0, _WEEK),
    "preemptions_per_job": (0, 1000),
    "unsaved_grace": (0, _WEEK),
    "notice": (0, 3600),
    "restart_time": (0, _WEEK),
    "starvation_after": (0, _YEAR),
    "starvation_share": (0, 1),
    "usage_half_life": (60, _YEAR),
    "running_per_owner": (0, 1_000_000),
    "queued_per_owner": (0, 1_000_000),
}
DURATIONS = {
    "patience",
    "protected_run_time",
    "unsaved_grace",
    "notice",
    "restart_time",
    "starvation_after",
    "usage_half_life",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSettings:
    """Holds the settings that a team may replace with its own."""

    ordering: Ordering = Ordering.FIFO
    patience: Duration = 300  # how long a job waits before it preempts
    protected_run_time: Duration = 10_800  # how long unsaved work and a restart may protect an attempt
    preemptions_per_job: int = 2  # 0 turns preemption off


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySettings(JobSettings):
    """Sets how jobs are ordered and preempted. The defaults are recommended: see docs/explain/scheduling.md."""

    unsaved_grace: Duration = 86_400  # among victims of equal rank, unsaved work beyond this no longer protects a job
    notice: Duration = 120  # how much time a program gets to save before it is stopped; 0 turns notices off
    restart_time: Duration = 300  # what a restart costs besides unsaved work
    starvation_after: Duration = _WEEK  # how long a job waits before it may use the starvation share
    starvation_share: float = 0.1  # part of the budget, from 0 to 1; 0 turns it off
    usage_half_life: Duration = _WEEK  # the time after which a team's past usage counts half
    usage_weights: Mapping[str, float] = field(default_factory=dict)  # an hour's weight, by type; default: its price
    running_per_owner: int = 0  # jobs; 0: no cap
    queued_per_owner: int = 1000  # waiting jobs, so that no owner floods the queue; 0: no cap
    interactive_at_most: Mapping[str, int] = field(default_factory=dict)  # instances, by type; no cap on other types

    def __post_init__(self) -> None:
        with checking_all_fields() as check:
            for name, (low, high) in RANGES.items():
                check(*in_range(name, getattr(self, name), low, high))
            for instance_type, weight in self.usage_weights.items():
                problem = f"{instance_type} must be above 0, and at most {_MOST_WEIGHT}"
                check("usage_weights", 0 < weight <= _MOST_WEIGHT, problem)
            for line, count in self.interactive_at_most.items():
                check("interactive_at_most", count >= 0, f"{line} must be 0 or more, not {count}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(PolicySettings):
    """Holds the settings of the planner: the section `policy`, and the teams of the section `shares`.

    `weights` has the weights of all types: first the weights that operators set, then the weights derived from prices.
    """

    teams: tuple[Team, ...] = ()
    weights: UsageWeights = field(default_factory=UsageWeights)

    def of(self, job: Job) -> JobSettings:
        """Returns the settings for this job: its team's settings, and the policy's where the team has none."""
        team = team_of(job, self.teams)
        return self if team is None or team.settings == AS_POLICY_SAYS else self._with(team.settings)

    def _with(self, own: TeamSettings) -> JobSettings:
        values = {name: getattr(own, name) for name in TEAM_SETTINGS}
        return JobSettings(**{name: getattr(self, name) if value is None else value for name, value in values.items()})


def in_range(name: str, value: float, low: float, high: float) -> tuple[str, bool, str]:
    """Returns the setting, whether its value is in range, and the problem if it is out of range."""
    return name, low <= value <= high, f"must be from {_text(name, low)} to {_text(name, high)}"


def _text(name: str, value: float) -> str:
    return format_duration(int(value)) if name in DURATIONS else str(value)


#: With this policy, a job of higher priority preempts without waiting.
IMMEDIATE_PREEMPTION = Policy(patience=0, protected_run_time=0)
