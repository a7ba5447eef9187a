"""Replays rows of the table on an account, and notes where its answers differ."""

from dataclasses import dataclass, field

from local_sagemaker.conformance.account import TERMINAL, Account, Answer
from local_sagemaker.conformance.plan import Course, Plan
from local_sagemaker.conformance.table import Row


@dataclass(frozen=True, slots=True)
class Difference:
    row: Row
    expected: Answer
    actual: Answer


@dataclass(slots=True)
class Findings:
    agreed: list[Row] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    unseen: list[Row] = field(default_factory=list)  # no job was in the row's state when we looked


def replay(plan: Plan, account: Account, findings: Findings) -> None:
    """What is found counts even if a later call fails."""
    for number, row in enumerate(plan.without_job):
        _replay_row(row, account, account.place.job_name(f"none-{number}"), findings)
    for course, rows in plan.rows.items():
        _follow(course, rows, account, findings)


def _follow(course: Course, rows: list[Row], account: Account, findings: Findings) -> None:
    name = account.place.job_name(course.name)
    account.create(course.request(), name)
    waiting = list(rows)

    def look() -> bool:
        state = account.state(name)
        for row in [row for row in waiting if row.state == state]:
            waiting.remove(row)
            _replay_row(row, account, name, findings)
        return state in TERMINAL

    account.until(look)
    findings.unseen += waiting


def _replay_row(row: Row, account: Account, name: str, findings: Findings) -> None:
    expected = account.place.localised(row.answer, name)
    actual = account.answer(row.call, account.place.localised(row.parameters, name))
    if _agrees(expected, actual):
        findings.agreed.append(row)
    elif _moved_on(row, account, name, actual):
        findings.unseen.append(row)
    else:
        findings.differences.append(Difference(row, expected, actual))


def _agrees(expected: Answer, actual: Answer) -> bool:
    if isinstance(expected, dict) and isinstance(actual, dict):
        return all(actual.get(name) == value for name, value in expected.items())
    return expected == actual


def _moved_on(row: Row, account: Account, name: str, actual: Answer) -> bool:
    """The job left the row's state by itself while it was asked: its answer says nothing about the row."""
    was_granted_wrongly = isinstance(actual, dict) and not row.succeeds
    return not was_granted_wrongly and account.state(name) != row.state
