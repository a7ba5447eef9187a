"""Commands about the past: the API's answers, and the rows of --json."""

from collections.abc import Iterator
from typing import Any

from integration.sagequeue.cli.widths.cases import REASON, Case, Row, ago, kinds, lines, number
from integration.sagequeue.fakes.queue import PRICES
from unit.sagequeue.builders.history import a_change, a_run


def changes(count: int) -> list[Any]:
    return [
        a_change(f"job-{index:04d}", 1, priority=number(index) * 10, reason={"code": "fits", "message": REASON})
        for index in range(count)
    ]


def change_rows(answer: Any) -> Iterator[Row]:
    for change in answer:
        yield change["job"], {"prio": str(change["priority"])}


def ended(count: int) -> list[Any]:
    """Several jobs of each of some teams, so that counts have several digits."""
    return [
        a_change(f"job-{index:04d}", 1, team=f"team-{index % 7:04d}", state="completed", run=a_run(end=2 + index / 60))
        for index in range(count)
    ]


def report_rows(answer: Any) -> Iterator[Row]:
    for name, figures in [*answer["groups"].items(), ("total", answer["total"])]:
        yield (
            name,
            {"jobs": str(figures["jobs"]), "runs": str(figures["runs"]), "cost $": f"{figures['cost_dollars']:.2f}"},
        )


def usage_answers(count: int) -> list[Any]:
    """The history, the jobs that have not ended, the pools and the budgets: each type has been held since yesterday."""
    whole_day = {"waited_since": ago(2), "reserved_at": ago(2), "ended_at": ago(-1)}
    runs = [
        a_change(f"job-{index:04d}", 1, run={**a_run(instances={kind: number(index)}), **whole_day})
        for index, kind in enumerate(kinds(count))
    ]
    budget = {kind: line["limit"] for kind, line in lines(count).items()}
    past = {"begins": ago(2), "budget": budget, "source": "parameter", "changed_by": None}
    return [
        {"changes": runs, "next": None},
        {"jobs": [], "next": None, "budget": {}},
        {"pools": [], "refused": []},
        {"budgets": [past]},
    ]


def usage_rows(answer: Any) -> Iterator[Row]:
    for group in answer["groups"]:
        yield (
            group["name"],
            {level: str(mean).removesuffix(".0") for level in ("held", "limit") for mean in {*group[level]}},
        )


def findings(count: int) -> dict[str, Any]:
    violation = {"rule": "no-p5", "field": "", "message": REASON, "remedy": ""}
    finding = {"created_at": "2026-11-21T10:00:00Z", "stopped": False, "violations": [violation]}
    return {"findings": [{**finding, "name": f"job-{index:04d}"} for index in range(count)]}


def finding_rows(answer: Any) -> Iterator[Row]:
    for finding in answer["findings"]:
        yield finding["name"], {"created": "2026-11-21"}


def versions(count: int) -> list[Any]:
    version = {"author": "arn:aws:sts::123456789012:assumed-role/team/anna", "changed": ["rules", "callers", "policy"]}
    comment = "a long comment that says why"
    return [
        {**version, "version": number(i), "comment": comment, "applied_at": "2026-11-21T10:00:00Z"}
        for i in range(count)
    ]


CASES = {
    "findings": Case(("findings",), lambda count: [findings(count)], finding_rows),
    "history": Case(("history",), lambda count: [{"changes": changes(count), "next": None}], change_rows),
    "report": Case(
        ("report", "--since", "2026-11-01", "--until", "2026-11-30"),
        lambda count: [PRICES, {"changes": ended(count), "next": None}],
        report_rows,
    ),
    "usage": Case(("usage",), usage_answers, usage_rows),
    "config log": Case(
        ("config", "log"),
        lambda count: [{"versions": versions(count), "next": None}],
        lambda answer: ((str(version["version"]), {}) for version in answer),
    ),
}
