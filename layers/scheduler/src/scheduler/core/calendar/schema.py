"""The schema of the section `calendar`: windows, their time zone, and how jobs above a reduced budget end."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from scheduler.core.calendar.calendar import EVERY_TYPE, PLAN_END_MARGIN, BelowQuotas, Calendar, Excess, Window
from scheduler.core.calendar.span import OneTimeSpan, WeeklySpan
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import BUDGET_LINE, PROCESSING, budget_line_of, is_processing_line
from scheduler.core.sections.durations import Duration
from scheduler.core.sections.schema import FieldProblem, Schema
from scheduler.core.sections.strict_structure import check_field

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PLAN_ARN = re.compile(r"arn:aws[a-z-]*:sagemaker:[a-z0-9-]*:\d{12}:training-plan/[A-Za-z0-9-]{1,64}")
_MAX_INSTANCES = 100_000
_MAX_DRAIN = 86_400
_MINUTE = 60
#: Limits the cost of planning, which checks each budget change for each job.
_MAX_WINDOWS = 50
_MAX_SPANS = 100  # the total over all windows
_CENTURY = (2000, 2100)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    """A window as operators write it."""

    name: str
    budget: dict[str, int]
    weekly: tuple[WeeklySpan, ...] = ()
    begins: datetime | None = None
    ends: datetime | None = None
    drain: Duration = 0
    excess: Excess | None = None
    training_plan: str | None = None

    def __post_init__(self) -> None:
        has_begin, has_end = self.begins is not None, self.ends is not None
        check_field("ends" if has_begin else "begins", has_begin == has_end, "is missing")
        check_field("weekly", bool(self.weekly) != has_begin, "is missing; set it, or begins and ends")
        check_field("budget", self.budget, "is empty; set the number of instances by type")
        for instance_type, count in self.budget.items():
            is_line = instance_type == EVERY_TYPE or BUDGET_LINE.fullmatch(instance_type)
            problem = f"{instance_type[:50]!r} is neither an instance type such as ml.g5.xlarge nor *"
            check_field("budget", is_line, problem)
            check_field(
                "budget", 0 <= count <= _MAX_INSTANCES, f"{instance_type} must be 0 to {_MAX_INSTANCES}, not {count}"
            )
        is_drain = self.drain <= _MAX_DRAIN and self.drain % _MINUTE == 0
        check_field("drain", is_drain, "must be whole minutes, and at most a day")
        if self.training_plan is not None:
            self._check_training_plan(self.training_plan)

    def _check_training_plan(self, plan: str) -> None:
        example = "arn:aws:sagemaker:us-east-1:123456789012:training-plan/winter"
        check_field("training_plan", _PLAN_ARN.fullmatch(plan), f"is not an ARN such as {example}")
        is_free = plan.rpartition("/")[2] != PROCESSING
        check_field("training_plan", is_free, f"has the name {PROCESSING}, which stands for processing jobs")
        for_training = not any(is_processing_line(line) for line in self.budget)
        check_field("budget", for_training, "must name no processing jobs: training plans are for training jobs")
        names_types = EVERY_TYPE not in self.budget
        check_field("budget", names_types, "must name the types that the training plan reserves, not *")
        for member in ("weekly", "drain", "excess"):
            is_left_out = not getattr(self, member)
            check_field(member, is_left_out, "cannot be combined with training_plan: a plan begins and ends once")

    def window(self) -> Window:
        plan = self.training_plan
        return Window(
            name=self.name,
            budget={budget_line_of(instance_type, plan): count for instance_type, count in self.budget.items()},
            weekly=self.weekly,
            once=OneTimeSpan(self.begins, self.ends) if self.begins and self.ends else None,
            drain_minutes=self.drain // _MINUTE,
            excess=self.excess,
            reserved=plan is not None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    time_zone: ZoneInfo = field(default_factory=partial(ZoneInfo, "UTC"))
    windows: tuple[_Window, ...] = ()
    excess: Excess = Excess.PREEMPT
    below_quotas: BelowQuotas = BelowQuotas.WARN  # whether a window may leave less than all teams' quotas

    def calendar(self) -> Calendar:
        windows = tuple(window.window() for window in self.windows)
        return Calendar(time_zone=self.time_zone, windows=windows, excess=self.excess, below_quotas=self.below_quotas)


def problems(calendar: Calendar, stack: Budget) -> Iterator[FieldProblem]:
    """Yields problems such as overlapping windows. `stack` is the budget in the stack's parameter."""
    too_many = list(_too_many(calendar))
    yield from too_many or (*_window_problems(calendar, stack), *_overlaps(calendar))


def has_ended(calendar: Calendar, now: datetime) -> Iterator[FieldProblem]:
    """Yields a warning for each window that will never open again."""
    for index, window in enumerate(calendar.windows):
        if window.has_ended(calendar.time_zone, now):
            yield f"windows[{index}]", f"{window.name!r} has passed; remove it"


def _too_many(calendar: Calendar) -> Iterator[FieldProblem]:
    if len(calendar.windows) > _MAX_WINDOWS:
        yield "windows", f"must be at most {_MAX_WINDOWS}"
    if sum(len(window.weekly) for window in calendar.windows) > _MAX_SPANS:
        yield "windows", f"must have at most {_MAX_SPANS} weekly times in total"


def _window_problems(calendar: Calendar, stack: Budget) -> Iterator[FieldProblem]:
    names: set[str] = set()
    for index, window in enumerate(calendar.windows):
        path = f"windows[{index}]"
        if not _NAME.fullmatch(window.name):
            yield f"{path}.name", "must be 1 to 64 letters, digits, - and _"
        if window.name in names:
            yield f"{path}.name", f"{window.name!r} is the name of a window above"
        unknown = set() if window.reserved else window.budget.keys() - {*stack.types, EVERY_TYPE}
        for instance_type in sorted(unknown):
            listed = f"the stack's InstanceBudget ({', '.join(stack.types)})"
            yield f"{path}.budget", f"{instance_type} is not in {listed}; add it there, with 0 or more instances"
        yield from _time_problems(path, window, calendar.time_zone)
        names.add(window.name)


def _time_problems(path: str, window: Window, zone: ZoneInfo) -> Iterator[FieldProblem]:
    if window.once is None:
        return
    begins, ends = window.once.interval(zone)
    if window.reserved and begins < ends <= begins + PLAN_END_MARGIN:
        unused = PLAN_END_MARGIN // timedelta(minutes=1)
        yield f"{path}.ends", f"leaves no time: the last {unused} minutes of a training plan are not used"
    elif ends <= begins:
        yield f"{path}.ends", "is not after its beginning; use a later end"


def _overlaps(calendar: Calendar) -> Iterator[FieldProblem]:
    """Yields overlaps of two weekly or two one-time windows with the same type: neither would override the other."""
    for index, window in enumerate(calendar.windows):
        for number, span in enumerate(window.weekly):
            if any(span.overlaps(other, 0, 0) for other in window.weekly[:number]):
                yield f"windows[{index}].weekly[{number}]", "overlaps an entry above it; change one of them"
        for earlier in calendar.windows[:index]:
            if window.shares_a_type_with(earlier) and _overlap(window, earlier, calendar.time_zone):
                where = "weekly" if window.weekly else "begins"
                yield f"windows[{index}].{where}", f"overlaps the window {earlier.name!r}, which names the same type"


def _overlap(window: Window, earlier: Window, zone: ZoneInfo) -> bool:
    if window.once and earlier.once:
        (begins, ends), (begun, ended) = window.once.interval(zone), earlier.once.interval(zone)
        return begins - window.drain < ended and begun - earlier.drain < ends
    drains = window.drain_minutes, earlier.drain_minutes
    return any(span.overlaps(other, *drains) for span in window.weekly for other in earlier.weekly)


def _span(text: Any, _: object) -> WeeklySpan:
    if not isinstance(text, str):
        raise ValueError('must be text like "fri 20:00 - mon 07:00"')  # noqa: TRY004 - a problem of the section, reported like the others
    return WeeklySpan.parse(text)


def _time(text: Any, _: object) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise ValueError("must be a time such as 2026-12-24T08:00, in the calendar's time zone") from error
    if not _CENTURY[0] <= time.year < _CENTURY[1]:  # time zone conversion fails near Python's first and last years
        raise ValueError(f"must be a time from {_CENTURY[0]} to {_CENTURY[1] - 1}")
    return time


SCHEMA = Schema(_Content, _Content.calendar, hooks={WeeklySpan: _span, datetime: _time})
