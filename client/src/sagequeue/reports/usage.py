"""Computes how many instances were held, waited for and budgeted over time. A pure computation, which makes no calls.

Recorded changes show finished attempts and jobs; the list of unfinished jobs shows the rest.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal, NotRequired, TypedDict, cast

from sagequeue.contract.history import Change, Run
from sagequeue.contract.jobs import FINISHED, LIVE, QUEUED, Job
from sagequeue.contract.queue import PastBudget, Pool
from sagequeue.reports.report import NONE

#: Maximum number of groups with a series of their own, the most used first. Other groups are summed.
MOST_GROUPS = 12
#: Maximum number of marks of each kind, the latest ones.
MOST_MARKS = 200
OTHERS = "(others)"
_PAUSED = FINISHED | {"held", "parked"}
_RESUMED = frozenset({"released", "unparked", "requeued"})


@dataclass(frozen=True, slots=True)
class Past:
    """The records of a period. `changes` were recorded during it; `unfinished` and `pools` are current."""

    changes: Sequence[Change]
    unfinished: Sequence[Job]
    pools: Sequence[Pool]
    budgets: Sequence[PastBudget]


@dataclass(frozen=True, slots=True)
class Steps:
    """A period of equal steps. Each value of a series is the mean over one step."""

    begin: datetime
    step: timedelta
    count: int

    @staticmethod
    def until(end: datetime, step: timedelta, days: int) -> "Steps":
        """Returns the steps of the last `days` days before `end`."""
        whole = timedelta(days=days)
        return Steps(end - whole, step, whole // step)

    @property
    def end(self) -> datetime:
        return self.begin + self.step * self.count


@dataclass(frozen=True, slots=True)
class Span:
    """Instances that a job held or waited for during a period."""

    kind: str  # "held" or "waiting"
    begin: datetime
    end: datetime
    instances: Mapping[str, int]
    team: str


class UsageGroup(TypedDict):
    """The mean numbers of instances of one type or team in each step."""

    name: str
    held: list[float]
    waiting: list[float]
    limit: NotRequired[list[float]]  # the budget; not by team


class Mark(TypedDict):
    """A preemption of a job, or a budget change."""

    at: str
    kind: Literal["preemption", "budget"]
    job: str | None
    by: str | None  # the job that got the instances, or the caller
    instances: Mapping[str, int]


class Usage(TypedDict):
    begin: str
    step_seconds: float
    steps: int
    groups: list[UsageGroup]
    marks: list[Mark]


def usage(past: Past, by: str, steps: Steps) -> Usage:
    """Returns the series of each type or team, with preemptions and budget changes. Only types have a limit."""
    levels = _Levels(steps)
    for span in _spans(past, steps.end):
        for group, count in span.instances.items() if by == "type" else [(span.team, sum(span.instances.values()))]:
            levels.add(group, span.kind, span.begin, span.end, count)
    if by == "type":
        for budget, until in _held_until(past.budgets, steps.end):
            for kind, count in budget["budget"].items():
                levels.add(kind, "limit", datetime.fromisoformat(budget["begins"]), until, count)
    return {
        "begin": steps.begin.isoformat(),
        "step_seconds": steps.step.total_seconds(),
        "steps": steps.count,
        "groups": levels.groups(["held", "waiting", "limit"] if by == "type" else ["held", "waiting"]),
        "marks": [*_preemptions(past.changes, steps.begin)][-MOST_MARKS:] + [*_changes_of(past.budgets)][-MOST_MARKS:],
    }


class _Levels:
    """Adds up counts over time, by group and kind."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._changes: dict[str, dict[str, list[tuple[float, float]]]] = {}

    def add(self, group: str, kind: str, begin: datetime, end: datetime, count: int) -> None:
        first, last = (max(0.0, self._steps_until(time)) for time in (begin, end))
        if first < min(last, self._steps.count):
            self._changes.setdefault(group, {}).setdefault(kind, []).extend([(first, count), (last, -count)])

    def groups(self, kinds: Sequence[str]) -> list[UsageGroup]:
        """Returns the groups, most used first."""
        means = {
            group: {kind: self._means(changes.get(kind, [])) for kind in kinds}
            for group, changes in self._changes.items()
        }
        use = {group: sum(series["held"]) + sum(series["waiting"]) for group, series in means.items()}
        ordered = sorted(means, key=lambda group: (-use[group], group))
        shown = {group: means[group] for group in ordered[:MOST_GROUPS]}
        if rest := [means[group] for group in ordered[MOST_GROUPS:]]:
            each_step = {kind: zip(*(one[kind] for one in rest), strict=True) for kind in kinds}
            shown[OTHERS] = {kind: [*map(sum, steps)] for kind, steps in each_step.items()}
        return [
            cast(
                UsageGroup, {"name": group, **{kind: [round(value, 2) for value in each] for kind, each in one.items()}}
            )
            for group, one in shown.items()
        ]

    def _steps_until(self, time: datetime) -> float:
        return (time - self._steps.begin) / self._steps.step

    def _means(self, changes: list[tuple[float, float]]) -> list[float]:
        """Returns the mean level of each step. The times of `changes` are in steps."""
        means, level, begin = [0.0] * self._steps.count, 0.0, 0.0
        for time, delta in [*sorted(changes), (float(self._steps.count), 0.0)]:
            end = min(time, float(self._steps.count))
            while level and begin < end:
                edge = min(end, float(int(begin) + 1))
                means[int(begin)] += level * (edge - begin)
                begin = edge
            begin, level = max(begin, end), level + delta
        return means


def _spans(past: Past, until: datetime) -> Iterator[Span]:
    by_job: dict[str, list[Change]] = {}
    for change in sorted(past.changes, key=lambda change: change["version"]):
        by_job.setdefault(change["job"], []).append(change)
    for changes in by_job.values():
        yield from _without_pauses(_spans_of_changes(changes), [*_pauses(changes)])
    for job in past.unfinished:
        pauses = [*_pauses(by_job.get(job["name"], []))]
        yield from _without_pauses(_spans_of_unfinished(job, until), pauses)
    teams = {name: changes[-1]["team"] for name, changes in by_job.items()}
    for pool in past.pools:
        if pool["since"] and not pool["lent_to"]:
            begin = datetime.fromisoformat(pool["since"])
            yield Span("held", begin, until, pool["instances"], teams.get(pool["job"]) or NONE)


def _spans_of_changes(changes: Sequence[Change]) -> Iterator[Span]:
    """Yields one job's time spans: one for each finished attempt, and one for a wait that ended with a cancellation."""
    runs: dict[int, tuple[Run, str]] = {}
    cancellation: Change | None = None
    for change in changes:
        if run := change["run"]:
            runs[run["number"]] = run, change["team"] or NONE
        if change["state"] == "stopped" and any(done["kind"] == "cancelled" for done in change["done"]):
            cancellation = change
        elif change["state"] not in FINISHED:
            cancellation = None
    if cancellation:
        since = cancellation["run"]["ended_at"] if cancellation["run"] else cancellation["submitted_at"]
        team = cancellation["team"] or NONE
        yield _span("waiting", since, cancellation["changed_at"], cancellation["instances"], team)
    for run, team in runs.values():
        ended = datetime.fromisoformat(run["ended_at"])
        yield _span("waiting", run["waited_since"], run["reserved_at"], run["instances"], team)
        yield Span("held", datetime.fromisoformat(run["reserved_at"]), ended, run["instances"], team)
        retained = timedelta(seconds=run["retained_seconds"])
        yield Span("held", ended, ended + retained, run["instances"], team)


def _spans_of_unfinished(job: Job, until: datetime) -> Iterator[Span]:
    team, now = job["team"] or NONE, until.isoformat()
    # SageMaker selects one of the preferences; the first one counts here.
    instances = dict([*job["instances"].items()][:1]) if job["preferences"] else job["instances"]
    live = job["attempts"][-1] if job["attempts"] and job["state"] in LIVE else None
    ended = [attempt["ended_at"] for attempt in job["attempts"] if attempt["ended_at"]]
    since = ended[-1] if ended else job["submitted_at"]
    if live:
        yield _span("waiting", since, live["reserved_at"], instances, team)
        yield _span("held", live["reserved_at"], now, instances, team)
    else:
        yield _span("waiting", since, now if job["state"] in QUEUED else job["updated_at"], instances, team)


def _pauses(changes: Sequence[Change]) -> Iterator[tuple[datetime, datetime]]:
    """Yields the periods in which the job was held or parked, or had ended before it was queued again."""
    if changes and any(done["kind"] in _RESUMED for done in changes[0]["done"]):
        yield datetime.fromisoformat(changes[0]["submitted_at"]), datetime.fromisoformat(changes[0]["changed_at"])
    for change, later in pairwise(changes):
        if change["state"] in _PAUSED:
            yield datetime.fromisoformat(change["changed_at"]), datetime.fromisoformat(later["changed_at"])


def _without_pauses(spans: Iterable[Span], pauses: Sequence[tuple[datetime, datetime]]) -> Iterator[Span]:
    for span in spans:
        begin = span.begin
        for paused, resumed in pauses if span.kind == "waiting" else ():
            if begin < resumed and paused < span.end:
                yield Span(span.kind, begin, paused, span.instances, span.team)
                begin = resumed
        yield Span(span.kind, begin, span.end, span.instances, span.team)


def _span(kind: str, begin: str, end: str, instances: Mapping[str, int], team: str) -> Span:
    return Span(kind, datetime.fromisoformat(begin), datetime.fromisoformat(end), instances, team)


def _held_until(budgets: Sequence[PastBudget], until: datetime) -> Iterator[tuple[PastBudget, datetime]]:
    for budget, later in pairwise(budgets):
        yield budget, datetime.fromisoformat(later["begins"])
    if budgets:
        yield budgets[-1], until


def _preemptions(changes: Iterable[Change], since: datetime) -> Iterator[Mark]:
    for change in changes:
        is_new = datetime.fromisoformat(change["changed_at"]) >= since
        if is_new and any(done["kind"] == "preempted" for done in change["done"]):
            at, job, by = change["changed_at"], change["job"], change["stopped_for"]
            yield {"at": at, "kind": "preemption", "job": job, "by": by, "instances": change["instances"]}


def _changes_of(budgets: Sequence[PastBudget]) -> Iterator[Mark]:
    for before, after in pairwise(budgets):
        kinds = sorted(before["budget"].keys() | after["budget"].keys())
        counts = [(kind, before["budget"].get(kind, 0), after["budget"].get(kind, 0)) for kind in kinds]
        if changed := {kind: now for kind, then, now in counts if now != then}:
            by = after["changed_by"] or after["source"]
            yield {"at": after["begins"], "kind": "budget", "job": None, "by": by, "instances": changed}
