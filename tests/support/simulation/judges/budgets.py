"""Judges the budget: an operator's setting, else the calendar's, else the stack's parameter.

This model shares no code with the queue. All times are seconds since the epoch.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from scheduler.core.jobs.job import Job
from scheduler.core.sections.durations import parse_duration
from support.account.account import Account
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import ConfigurationJudge
from support.simulation.judges.teams import settings_of

#: The maximum age of a decision's snapshot: the longest life of a cycle, pauses included.
_OLD_VIEW_SECONDS = 100.0
#: The maximum difference between the functions' clocks.
_SKEW = 5.0
_WEEK = 7 * 86_400.0


@dataclass(frozen=True, slots=True)
class Window:
    begins: float
    ends: float
    budget: dict[str, int]
    excess: str
    drain: float = 0.0
    weekly: bool = False
    plan: str = ""  # the training plan whose instances it adds, on separate lines

    def is_open(self, time: float) -> bool:
        return 0 <= self._since(self.begins, time) < self.ends - self.begins

    def is_draining(self, time: float) -> bool:
        return 0 <= self._since(self.begins - self.drain, time) < self.drain

    def edges(self, after: float) -> Iterator[float]:
        for edge in (self.begins - self.drain, self.begins, self.ends):
            yield after + (edge - after) % _WEEK if self.weekly else edge

    def _since(self, edge: float, time: float) -> float:
        return (time - edge) % _WEEK if self.weekly else time - edge


@dataclass(frozen=True, slots=True)
class _Rule:
    """The budget at one moment."""

    budget: Counter[str]
    excess: dict[str, str]
    usual: str

    def way_with(self, job: Job) -> set[str]:
        return {self.excess.get(kind, self.usual) for kind in job.spec.demand}


class BudgetJudge:
    def __init__(
        self, account: Account, checks: Checks, configurations: ConfigurationJudge, parameter: dict[str, int]
    ) -> None:
        self._account, self._check, self._configurations = account, checks.check, configurations
        self._drawn: dict[str, tuple[Sequence[Window], str]] = {}  # windows and excess rule by the section's JSON
        self.parameter = parameter
        self._always = _Rule(Counter(parameter), {}, "finish")  # without a setting and a calendar
        self._operators: _Rule | None = None
        self._windows: Sequence[Window] = ()
        self._usual = "finish"
        self._said_at = -inf
        self._held = [(-inf, self._at(0.0))]  # each budget, and since when it applies
        self._same_until = -inf  # no window begins or ends before then
        self._changed_at = 0.0
        self._reserved_before: Counter[str] = Counter()
        self.allowed = Counter(
            parameter
        )  # instances held when the budget shrank stay allowed until they are given back

    @property
    def now(self) -> Counter[str]:
        return self._held[-1][1].budget

    def operators_set(self, budget: dict[str, int] | None, *, stops: bool) -> None:
        self._operators = None if budget is None else _Rule(Counter(budget), {}, "stop" if stops else "finish")
        self._say()

    def calendar_drawn(self, section: Mapping[str, Any], windows: Sequence[Window], usual: str) -> None:
        """Records a calendar before an operator applies it."""
        self._drawn[json.dumps(section)] = windows, usual

    def configuration_changed(self) -> None:
        section = self._configurations.now.content("calendar")
        windows, usual = self._drawn.get(json.dumps(section), ((), "finish"))
        if (windows, usual) != (self._windows, self._usual):
            self._windows, self._usual = windows, usual
            self._say()

    def after_step(self) -> None:
        now = self._account.now
        if now < self._same_until:
            return  # and the budget is already in `allowed`
        rule, soon = self._at(now), self._at(now + _SKEW)
        edges = (edge for window in self._windows for edge in window.edges(now) if edge > now)
        self._same_until = min(edges, default=inf) - _SKEW - 1  # minus a second: edges of weeks are rounded
        if rule != self._held[-1][1]:
            self._held.append((now, rule))
            self._changed_at = now + _SKEW
        self.allowed |= rule.budget | soon.budget

    def check(self, reserved: Counter[str], held: Counter[str]) -> None:
        """Checks S1: jobs that ran when the budget shrank may continue, but no job starts beyond the budget."""
        started = [process.started_at for process in self._account.processes.alive]
        if min(started, default=self._account.now) > self._changed_at:  # no clock shows the earlier budget any more
            soon = self._at(self._account.now + _SKEW).budget
            self.allowed = self.now | soon | (self.allowed & self._reserved_before)
        self._reserved_before = reserved
        self._check("S1", reserved <= self.allowed, "reserved {} of {}", reserved, self.allowed)
        self._check("S1", held <= self.allowed, "held {} of {}", held, self.allowed)

    def seen(self) -> list[Counter[str]]:
        """Returns the budgets that a cycle may have read."""
        return [rule.budget for rule in self._seen()]

    def check_eviction(self, job: Job, held: Counter[str]) -> None:
        """Checks S5: a job is stopped to free budget only if the budget is exceeded and the excess rule requires it."""
        seen = self._seen()
        least = Counter(self.parameter) | Counter({kind: n for kind, n in seen[0].budget.items() if "@" in kind})
        ways: set[str] = set()
        for rule in seen:
            least &= rule.budget
            ways |= rule.way_with(job)
        self._check("S5", bool(held - least), f"{job.name} is stopped for a budget that is not exceeded")
        helps = any((held - least)[kind] for kind in job.spec.demand)
        self._check("S5", helps, f"{job.name} is stopped for a budget, and holds nothing that is too much")
        is_meant = "stop" in ways or ("preempt" in ways and not job.options.never_preempt)
        self._check("S5", is_meant, f"{job.name} is stopped for a budget, and was to run to its end")

    def check_start(self, job: Job) -> None:
        """Checks that the job can end or be preempted before a smaller budget applies."""
        now = self._account.now
        if self._operators is not None or now - self._said_at < _OLD_VIEW_SECONDS:
            return
        ends = now - _OLD_VIEW_SECONDS + job.spec.max_runtime
        for edge in sorted({edge for window in self._windows for edge in window.edges(now) if now < edge < ends}):
            rule = self._at(edge)
            fits = all(count <= rule.budget[kind] for kind, count in job.spec.demand.counts)
            gives_way = self._gives_way(job, edge, rule.way_with(job))
            self._check("calendar", fits or gives_way, f"{job.name} starts and will be in the way at {edge}")

    def _gives_way(self, job: Job, edge: float, ways: set[str]) -> bool:
        if job.spec.checkpoint_uri is None or "finish" in ways:
            return False
        began = self._account.now - _OLD_VIEW_SECONDS
        return ways == {"stop"} or any(
            began + parse_duration(settings["protected_run_time"]) <= edge
            and not job.options.never_preempt
            and job.status.preemptions < settings["preemptions_per_job"]
            for settings in settings_of(job, self._configurations)
        )

    def _seen(self) -> list[_Rule]:
        since = self._account.now - _OLD_VIEW_SECONDS
        ended = [*(at for at, _ in self._held[1:]), inf]
        seen = [rule for (_, rule), until in zip(self._held, ended, strict=True) if until >= since]
        return [*seen, self._at(self._account.now + _SKEW)]

    def _say(self) -> None:
        self._said_at = self._account.now
        self._same_until = -inf
        self.after_step()

    def _at(self, time: float) -> _Rule:
        if self._operators is not None:
            return self._operators
        if not self._windows:
            return self._always
        counts, excess = dict(self.parameter), dict[str, str]()
        for window in self._windows:
            if window.plan:
                excess |= dict.fromkeys(window.budget, window.excess)
        for window in sorted(self._windows, key=lambda window: not window.weekly):
            if window.is_open(time):
                counts |= window.budget
                excess |= dict.fromkeys(window.budget, window.excess)
        for window in self._windows:
            if window.is_draining(time):
                counts |= {kind: min(count, counts[kind]) for kind, count in window.budget.items()}
                excess |= dict.fromkeys(window.budget, window.excess)
        return _Rule(Counter(counts), excess, self._usual)
