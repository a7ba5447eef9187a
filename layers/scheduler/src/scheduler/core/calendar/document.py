"""The calendar's document: JSON text that becomes a Calendar, or a list of everything that is wrong with it."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from attrs import frozen
from cattrs import Converter

from scheduler.core.calendar.calendar import EVERY_TYPE, PLAN_END_MARGIN, Calendar, Window
from scheduler.core.calendar.period import Excess
from scheduler.core.calendar.span import Once, WeeklySpan
from scheduler.core.documents import document_reading
from scheduler.core.documents.contradiction import contradiction
from scheduler.core.documents.document_reading import Found
from scheduler.core.documents.strict_structure import strict_converter
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import budget_line_of, is_plan_arn
from scheduler.errors.config_errors import BadCalendar

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_TYPE = re.compile(r"\*|ml\.[a-z0-9-]{1,40}\.[a-z0-9-]{1,40}")
_MAX_INSTANCES = 100_000
_MAX_DRAIN = 24 * 60
#: Each change of the budget is looked at for each job that is looked at.
_MAX_WINDOWS = 50
_MAX_SPANS = 100  # of all windows together
_CENTURY = (2000, 2100)


@frozen(kw_only=True)
class _Window:
    """As it is written."""

    name: str
    budget: dict[str, int]
    weekly: tuple[WeeklySpan, ...] = ()
    begins: datetime | None = None
    ends: datetime | None = None
    drain_minutes: int = 0
    excess: Excess | None = None
    training_plan: str | None = None

    def __attrs_post_init__(self) -> None:
        if (self.begins is None) != (self.ends is None):
            raise contradiction("ends" if self.ends is None else "begins", "is missing")
        if bool(self.weekly) == bool(self.begins):
            raise contradiction("weekly", "is needed, or begins and ends instead of it")
        if not self.budget:
            raise contradiction("budget", "is empty: it says how many instances of which types there are")
        for kind, count in self.budget.items():
            if not _TYPE.fullmatch(kind):
                raise contradiction("budget", f"{kind[:50]!r} is no instance type such as ml.g5.xlarge, nor *")
            if not 0 <= count <= _MAX_INSTANCES:
                raise contradiction("budget", f"{kind} must be 0 to {_MAX_INSTANCES}")
        if not 0 <= self.drain_minutes <= _MAX_DRAIN:
            raise contradiction("drain_minutes", f"must be 0 to {_MAX_DRAIN}")
        if self.training_plan is not None:
            self._refuse_beside_a_plan(self.training_plan)

    def _refuse_beside_a_plan(self, plan: str) -> None:
        if not is_plan_arn(plan):
            raise contradiction(
                "training_plan", "is no ARN such as arn:aws:sagemaker:us-east-1:123456789012:training-plan/winter"
            )
        if EVERY_TYPE in self.budget:
            raise contradiction("budget", "needs the types that the training plan reserves instead of *")
        for member in ("weekly", "drain_minutes", "excess"):
            if getattr(self, member):
                raise contradiction(
                    member, "does not go with training_plan: a plan begins and ends once, with all that runs"
                )

    def window(self) -> Window:
        once = Once(self.begins, self.ends) if self.begins and self.ends else None
        return Window(
            name=self.name,
            budget={budget_line_of(kind, self.training_plan): count for kind, count in self.budget.items()},
            weekly=self.weekly,
            once=once,
            drain_minutes=self.drain_minutes,
            excess=self.excess,
            reserved=self.training_plan is not None,
        )


@frozen(kw_only=True)
class _Content:
    time_zone: ZoneInfo
    windows: tuple[_Window, ...]
    excess: Excess = Excess.PREEMPT


@lru_cache(maxsize=4)  # every call and every cycle asks for the document that is in force
def calendar_of(text: str) -> Calendar:
    """Read a document that was accepted once. Raises BadCalendar."""
    return document_reading.read(text, _structured, BadCalendar)


def accepted(text: str, stack: Budget, now: datetime) -> Calendar:
    """Read a new document. Raises BadCalendar for anything in it that is wrong, overlaps, or is over already."""
    document_reading.refuse_ambiguous(text, BadCalendar)
    calendar = calendar_of(text)
    document_reading.refuse_found(text, _too_many(calendar), BadCalendar)
    document_reading.refuse_found(text, [*_odd(calendar, stack, now), *_overlaps(calendar)], BadCalendar)
    return calendar


def _too_many(calendar: Calendar) -> Iterator[Found]:
    if len(calendar.windows) > _MAX_WINDOWS:
        yield "windows", f"must be at most {_MAX_WINDOWS}"
    if sum(len(window.weekly) for window in calendar.windows) > _MAX_SPANS:
        yield "windows", f"must have at most {_MAX_SPANS} times of weekly together"


def _odd(calendar: Calendar, stack: Budget, now: datetime) -> Iterator[Found]:
    names: set[str] = set()
    for index, window in enumerate(calendar.windows):
        path = f"windows[{index}]"
        if not _NAME.fullmatch(window.name):
            yield f"{path}.name", "must be 1 to 64 letters, digits, - and _"
        if window.name in names:
            yield f"{path}.name", f"{window.name!r} is the name of a window above"
        for kind in sorted(window.budget.keys() - {*stack.types, EVERY_TYPE}) if not window.reserved else ():
            known = ", ".join(stack.types)
            yield f"{path}.budget", f"{kind} is not in the stack's InstanceBudget ({known}); there it may have 0"
        yield from _odd_times(path, window, calendar.time_zone, now)
        names.add(window.name)


def _odd_times(path: str, window: Window, zone: ZoneInfo, now: datetime) -> Iterator[Found]:
    if window.once is None:
        return
    begins, ends = window.once.interval(zone)
    if window.reserved and begins < ends <= begins + PLAN_END_MARGIN:
        unused = PLAN_END_MARGIN // timedelta(minutes=1)
        yield f"{path}.ends", f"leaves no time: the last {unused} minutes of a training plan are not used"
    elif ends <= begins:
        yield f"{path}.ends", "is not after its beginning"
    elif ends <= now:
        yield f"{path}.ends", "has passed: leave the window out"


def _overlaps(calendar: Calendar) -> Iterator[Found]:
    """Of windows of one kind that name the same type: nobody could say which of them holds."""
    for index, window in enumerate(calendar.windows):
        for place, span in enumerate(window.weekly):
            if any(span.overlaps(other, 0, 0) for other in window.weekly[:place]):
                yield f"windows[{index}].weekly[{place}]", "overlaps one above it"
        for earlier in calendar.windows[:index]:
            if window.shares_a_type_with(earlier) and _overlap(window, earlier, calendar.time_zone):
                where = "weekly" if window.weekly else "begins"
                yield f"windows[{index}].{where}", f"overlaps the window {earlier.name!r}, which names the same type"


def _overlap(window: Window, earlier: Window, zone: ZoneInfo) -> bool:
    if window.once and earlier.once:
        (begins, ends), (begun, ended) = window.once.interval(zone), earlier.once.interval(zone)
        return begins - window.drain < ended and begun - earlier.drain < ends
    drains = window.drain_minutes, earlier.drain_minutes
    return any(one.overlaps(other, *drains) for one in window.weekly for other in earlier.weekly)


def _structured(document: Mapping[str, Any]) -> Calendar:
    content = _converter.structure(document, _Content)
    windows = tuple(window.window() for window in content.windows)
    return Calendar(time_zone=content.time_zone, windows=windows, excess=content.excess)


def _zone(text: Any, _: object) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError) as error:
        raise ValueError("must be the name of a time zone such as Europe/Berlin or UTC") from error


def _span(text: Any, _: object) -> WeeklySpan:
    if not isinstance(text, str):
        raise ValueError('must be text like "fri 20:00 - mon 07:00"')  # noqa: TRY004 - a problem of the document, told like the others
    return WeeklySpan.parse(text)


def _moment(text: Any, _: object) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise ValueError("must be a time such as 2026-12-24T08:00, in the calendar's time zone") from error
    if not _CENTURY[0] <= moment.year < _CENTURY[1]:  # at the ends of all times no time zone can be told
        raise ValueError("must be a time of this century")
    return moment


def _make_converter() -> Converter:
    converter = strict_converter()
    converter.register_structure_hook(ZoneInfo, _zone)
    converter.register_structure_hook(WeeklySpan, _span)
    converter.register_structure_hook(datetime, _moment)
    return converter


_converter = _make_converter()
