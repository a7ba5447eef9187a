"""Groups recorded attempts into a report on waiting, use, cost and waste. A pure computation, which makes no calls."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sagequeue.contract.history import Change, Run
from sagequeue.errors import QueueError
from sagequeue.reports.figures import HourlyPrices, Line, Share

#: Dimensions that a report can group by, besides `tag:KEY`.
DIMENSIONS = ("team", "owner", "type", "purchase", "day", "job")
#: All dimensions, in a text.
ANY_DIMENSION = f"{', '.join(DIMENSIONS)} or tag:KEY"
#: The group of jobs without a value.
NONE = "(none)"
#: The scheduler records an attempt's end when it detects the end: without an event, one or more sweeps later.
RECORDED_WITHIN = timedelta(hours=1)
_CLOCKS_DIFFER = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Report:
    lines: Mapping[str, Line]  # by group, in order
    total: Line
    missing: int  # changes missing from the history
    jobs_with_gaps: tuple[str, ...]


def check_dimension(by: str) -> None:
    """Raises QueueError if a report cannot be grouped by this."""
    if by not in DIMENSIONS and by.removeprefix("tag:") in ("", by):
        raise QueueError(f"{by!r} is not a dimension.", f"Use {ANY_DIMENSION}.")


def report(changes: Iterable[Change], by: str, since: datetime, until: datetime, prices: HourlyPrices) -> Report:
    """Reports on the attempts that ended in a period.

    `changes` must cover `since` until RECORDED_WITHIN after `until`.
    """
    return reports(changes, [by], since, until, prices)[by]


def reports(
    changes: Iterable[Change], dimensions: Iterable[str], since: datetime, until: datetime, prices: HourlyPrices
) -> dict[str, Report]:
    """Makes one report for each dimension, all from the same attempts."""
    known = list(changes)
    shares = list(_runs(known, since, until))
    total = Line()
    for share in shares:
        total.add(share, prices)
    missing = gaps(known, since)
    return {
        by: Report(_lines(shares, by, prices), total, sum(missing.values()), tuple(sorted(missing)))
        for by in dimensions
    }


def _lines(shares: Iterable[Share], by: str, prices: HourlyPrices) -> dict[str, Line]:
    lines: dict[str, Line] = {}
    groups = _groups(by)
    for share in shares:
        for group, part in groups(share):
            lines.setdefault(group, Line()).add(part, prices)
    return dict(sorted(lines.items()))


def _runs(changes: Iterable[Change], since: datetime, until: datetime) -> Iterator[Share]:
    """Yields each run once, as of its latest change."""
    latest: dict[tuple[str, int], tuple[Change, Run]] = {}
    for change in sorted(changes, key=lambda change: change["version"]):
        run = change["run"]
        if run and since <= datetime.fromisoformat(run["ended_at"]) < until:
            latest[change["job"], run["number"]] = change, run
    for change, run in latest.values():
        yield Share(change, run, run["instances"])


def _groups(by: str) -> Callable[[Share], Iterable[tuple[str, Share]]]:
    if by in ("type", "purchase"):
        return lambda share: (
            (line if by == "type" else _purchase(line, share.run), Share(share.change, share.run, {line: count}))
            for line, count in share.run["instances"].items()
        )
    if by.startswith("tag:"):
        key = by.removeprefix("tag:")
        return lambda share: [(share.change["tags"].get(key) or NONE, share)]
    if by == "day":
        # Local days, because the times of the period and of all tables are local, too.
        return lambda share: [(str(datetime.fromisoformat(share.run["ended_at"]).astimezone().date()), share)]
    return lambda share: [(str(share.change[by] or NONE), share)]  # type: ignore[literal-required] # one of DIMENSIONS


def _purchase(line: str, run: Run) -> str:
    """Returns the instance type and how it was bought. The line of a training plan or of processing says so itself."""
    if "@" in line:
        return line
    return f"{line} spot" if run["spot"] else f"{line} on demand"


def gaps(changes: Iterable[Change], since: datetime) -> dict[str, int]:
    """Returns the number of missing changes by job: versions start at 0 and have no gaps.

    The recorded time of a job submitted shortly after `since` may be earlier: another clock measures it, in whole
    seconds.
    """
    seen: dict[str, set[int]] = {}
    begun = {}
    for change in changes:
        seen.setdefault(change["job"], set()).add(change["version"])
        begun[change["job"]] = datetime.fromisoformat(change["submitted_at"])
    missing = {}
    for job, versions in seen.items():
        first = 0 if begun[job] >= since + _CLOCKS_DIFFER else min(versions)
        if lost := max(versions) - first + 1 - len(versions):
            missing[job] = lost
    return missing
