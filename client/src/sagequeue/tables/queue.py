"""Tables of current and coming budgets, the whole queue, warm pools, and findings."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.contract.jobs import BudgetLine
from sagequeue.contract.queue import Budget, Findings, Period, Pool, Pools, Queue, TeamLine
from sagequeue.tables.formats import FittedTable, brief, facts_of, local_time, short, since, table_of

_HOUR = 3600
#: Maximum number of waiting jobs to name for one warm pool.
_NAMED = 5
_SOURCES = {
    "parameter": "the stack's parameter InstanceBudget",
    "calendar": "the calendar (`sagequeue budget ahead`)",
    "operator": "`sagequeue budget set`",
}


def budget_view(setting: Budget, use: Mapping[str, BudgetLine]) -> RenderableType:
    """Returns the budget, its use where known, and its source."""
    table = table_of("type", "limit", "held") if use else table_of("type", "limit")
    for kind, limit in sorted(setting["budget"].items()):
        held = [str(use[kind]["held"]) if kind in use else "0"] if use else []
        table.add_row(kind, str(limit), *held)
    lines: list[RenderableType] = [table, Text(f"set by {_SOURCES.get(setting['source'], setting['source'])}", "dim")]
    if setting["stop_over_budget"]:
        lines.append(Text("Jobs over the budget are preempted.", "dim"))
    if setting["changed_by"] and setting["changed_at"]:
        when = local_time(setting["changed_at"])
        lines.append(Text(f"budget or intake last changed by {setting['changed_by']} at {when}", "dim"))
    return Group(*lines)


def budget_changes(before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[str]:
    """Yields a line for each type whose limit changes."""
    for kind in sorted({*before, *after}):
        old, new = before.get(kind), after.get(kind)
        if new is None:
            yield f"{kind}: {old} → no longer used"
        elif old != new:
            yield f"{kind}: {'not used' if old is None else old} → {new}"
    if before == after:
        yield "The budget stays the same."


def excess_changes(stopped: bool, will_stop: bool) -> Iterator[str]:  # noqa: FBT001 - before and after
    """Yields a line if the queue will treat jobs over the budget differently."""
    if stopped != will_stop:
        yield "jobs over the budget: " + ("finish → are preempted" if will_stop else "are preempted → finish")


def periods_view(periods: Sequence[Period]) -> FittedTable:
    """Returns one line for each budget change, in local time."""
    table = table_of("from", "budget", "windows", "jobs over budget")
    for number, period in enumerate(periods):
        since = f"{datetime.fromisoformat(period['begins']).astimezone():%a %Y-%m-%d %H:%M}" if number else "now"
        budget = _instances(period["budget"])
        table.add_row(
            since, budget, Text(", ".join(period["windows"])), ", ".join(sorted({*period["excess"].values()}))
        )
    return table


def summary_view(summary: Queue) -> RenderableType:
    """Returns job counts, budget use, teams, shortages and the next jobs."""
    parts: list[RenderableType] = [facts_of(_facts(summary)), Text(), _use(summary)]
    if summary["teams"]:
        parts += [Text(), _teams(summary)]
    if summary["shortages"]:
        parts += [Text(), _shortages(summary)]
    if summary["head"]:
        parts += [Text(), _head(summary)]
    return Group(*parts)


def _facts(summary: Queue) -> Iterator[tuple[str, Text]]:
    yield (
        "new jobs",
        Text("accepted") if summary["intake_open"] else Text("refused: an operator has drained the queue", "yellow"),
    )
    states = ", ".join(f"{count} {state}" for state, count in summary["by_state"].items() if count)
    yield "jobs", Text(states or "none")


def _use(summary: Queue) -> FittedTable:
    table = table_of("type", "held", "free", "limit")
    for kind, line in sorted(summary["budget"].items()):
        table.add_row(kind, str(line["held"]), str(line["free"]), str(line["limit"]))
    return table


def _teams(summary: Queue) -> FittedTable:
    table = table_of("team", "running", "queued", "weight", "quota", "borrowed", "limits", "recent use")
    for team, line in sorted(summary["teams"].items()):
        weight, quota = f"{line['weight']:g}", _instances(line["quota"])
        recent_use = f"{line['used_weighted_seconds'] / _HOUR:.1f} weighted hours"
        running, queued, borrowed = _instances(line["running"]), str(line["queued"]), _instances(_borrowed(line))
        table.add_row(team, running, queued, weight, quota, borrowed, ", ".join(_limits(line)), recent_use)
    return table


def _borrowed(line: TeamLine) -> dict[str, int]:
    """Returns the instances that the team holds beyond its quota; nothing if it has no quota."""
    beyond = {kind: count - line["quota"].get(kind, 0) for kind, count in line["running"].items()}
    return {kind: count for kind, count in beyond.items() if count > 0} if line["quota"] else {}


def _limits(line: TeamLine) -> Iterator[str]:
    for kind, count in sorted(line["lend"].items()):
        yield f"lends {count} × {kind}"
    for kind, count in sorted(line["borrow_at_most"].items()):
        yield f"borrows up to {count} × {kind}"
    for kind, count in sorted(line["ceiling"].items()):
        yield f"up to {count} × {kind} in all"
    for name, value in line["settings"].items():
        yield f"{name.replace('_', ' ')} {value}"


def _shortages(summary: Queue) -> FittedTable:
    table = table_of("no capacity for", "subnet", "tries", "next try at")
    for known in summary["shortages"]:
        kind = known["instance_type"] + " spot" * known["spot"]
        table.add_row(kind, known["subnet"] or "any", str(known["failures"]), local_time(known["next_try_at"]))
    return table


def _head(summary: Queue) -> FittedTable:
    table = table_of("#", "job", "prio", "why")
    for job in summary["head"]:
        table.add_row(str(job["position"]), job["name"], str(job["priority"]), Text(brief(job["reason"]["message"])))
    return table


def pools_view(found: Pools, now: datetime) -> RenderableType:
    table = table_of("attempt", "instances", "age", "ends in", "cost", "used by", "jobs that fit")
    for pool in found["pools"]:
        table.add_row(*_pool_row(pool, now))
    return Group(table if table.rows else Text("No warm pools."), *map(Text, refusals(found)))


def refusals(found: Pools) -> Iterator[str]:
    """Yields a line for each instance type whose requested warm pools do not appear."""
    for refused in found["refused"]:
        kind, first_refused = refused["instance_type"], local_time(refused["since"])
        yield f"No warm pool of {kind} has appeared since {first_refused}: its warm-pool quota is 0 or used up."


def _pool_row(pool: Pool, now: datetime) -> Iterator[str | Text]:
    yield Text(pool["name"], style="bold")
    yield _instances(pool["instances"], " + ")
    yield since(pool["since"], now) if pool["since"] else ""
    yield short(datetime.fromisoformat(pool["until"]) - now) if pool["until"] else ""
    yield f"${pool['cost']:.2f}" if pool["cost"] is not None else "no known price"
    yield pool["lent_to"] or ""
    yield Text(", ".join(pool["fits"][:_NAMED]) + ", …" * (len(pool["fits"]) > _NAMED))


def findings_view(found: Findings) -> RenderableType:
    """Returns training jobs that were started outside the queue and break a rule."""
    table = table_of("job", "created", "stopped", "why")
    for finding in found["findings"]:
        why = "\n".join(f"{broken['rule']}: {broken['message']}" for broken in finding["violations"])
        stopped = "yes" if finding["stopped"] else "no"
        table.add_row(finding["name"], local_time(finding["created_at"]), stopped, Text(why))
    return table if table.rows else Text("No training job outside the queue breaks a rule.")


def _instances(counts: Mapping[str, int], among: str = ", ") -> str:
    return among.join(f"{count} × {kind}" for kind, count in sorted(counts.items()))
