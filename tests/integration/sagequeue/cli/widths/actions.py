"""Commands that change jobs or budgets: the API's answers, and the rows of --json."""

from collections.abc import Iterator
from typing import Any

from integration.sagequeue.cli.widths.budgets import budget
from integration.sagequeue.cli.widths.cases import Case, Row
from integration.sagequeue.cli.widths.jobs import jobs

NAMES = ("job-0000",)


def named_job(count: int) -> dict[str, Any]:
    """Returns the last of so many jobs, so that its numbers have several digits."""
    return {**jobs(count)[-1], "name": NAMES[0], "is_new": True}


def ended_job(count: int) -> dict[str, Any]:
    return {**named_job(count), "state": "completed"}


def changed_jobs(count: int) -> dict[str, Any]:
    names = [f"job-{index:04d}" for index in range(count)]
    return {"changed": names, "refused": [], "left": 0, "is_left_exact": True, "next": None}


def rows_of_one(answer: Any) -> Iterator[Row]:
    shown = answer if isinstance(answer, list) else [answer]
    assert shown
    for job in shown:
        yield "priority", {"": str(job["priority"])}


def rows_of_changed(answer: Any) -> Iterator[Row]:
    for name in answer["changed"]:
        yield f"{name} cancelled", {}


def limits(answer: Any) -> Iterator[Row]:
    for kind, limit in answer["budget"].items():
        yield kind, {"limit": str(limit)}


def budgets_before_and_after(count: int) -> list[Any]:
    """Returns the budget before the command, and what the command sets."""
    before = budget(count)
    after = {"ml.p0000.large": 43210, "ml.p5.48xlarge": 98765}
    return [before, {**before, "source": "operator", "budget": after}]


def changed_limits(answer: Any) -> Iterator[Row]:
    yield from limits(answer)
    yield "ml.p0000.large: 1002 → 43210", {}
    yield "ml.p5.48xlarge: not used → 98765", {}


CASES = {
    "submit": Case(("submit", "--cli-input-json", "{}"), lambda count: [named_job(count)], rows_of_one),
    "cancel": Case(("cancel", "--name", "job-", "--yes"), lambda count: [changed_jobs(count)], rows_of_changed),
    **{
        verb: Case((verb, *NAMES), lambda count: [named_job(count)], rows_of_one)
        for verb in ("hold", "release", "top", "approve")
    },
    "requeue": Case(("requeue", *NAMES), lambda count: [ended_job(count), named_job(count)], rows_of_one),
    "prio": Case(("prio", *NAMES, "7"), lambda count: [named_job(count)], rows_of_one),
    "update": Case(("update", *NAMES, "--retries", "2"), lambda count: [named_job(count)], rows_of_one),
    "wait": Case(("wait", *NAMES), lambda count: [ended_job(count)], rows_of_one),
    "budget set": Case(
        ("budget", "set", "--replace", "--yes", "ml.p0000.large=43210", "ml.p5.48xlarge=98765"),
        budgets_before_and_after,
        changed_limits,
    ),
    "budget reset": Case(("budget", "reset"), lambda count: [budget(count)], limits),
}
