"""Replays rows of the table on an account. Prints the cost limit first, then the differences between the answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from local_sagemaker.conformance.account import TERMINAL, Account, Answer
from local_sagemaker.conformance.plan import Plan, ProbeJob
from local_sagemaker.conformance.questions import NOT_ASKED, Question
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
    unseen: list[Row] = field(default_factory=list)  # no job was in the row's state when the script checked


def replay(plan: Plan, account: Account, findings: Findings) -> None:
    """Replays all rows of the plan. Adds each result to `findings`, which keeps them even if a later call fails."""
    for number, row in enumerate(plan.without_job):
        _replay_row(row, account, account.target.job_name(f"none-{number}"), findings)
    for job, rows in plan.rows.items():
        _follow(job, rows, account, findings)


def _follow(job: ProbeJob, rows: list[Row], account: Account, findings: Findings) -> None:
    name = account.target.job_name(job.name)
    account.create(job.request(), name)
    waiting = list(rows)

    def replay_state() -> bool:
        state = account.state(name)
        for row in [row for row in waiting if row.state == state]:
            waiting.remove(row)
            _replay_row(row, account, name, findings)
        return state in TERMINAL

    account.wait_until(replay_state)
    findings.unseen += waiting


def _replay_row(row: Row, account: Account, name: str, findings: Findings) -> None:
    expected = account.target.substituted(row.answer, name)
    actual = account.answer(row.call, account.target.substituted(row.parameters, name))
    if _agrees(expected, actual):
        findings.agreed.append(row)
    elif _has_left_state(row, account, name, actual):
        findings.unseen.append(row)
    else:
        findings.differences.append(Difference(row, expected, actual))


def _agrees(expected: Answer, actual: Answer) -> bool:
    if isinstance(expected, dict) and isinstance(actual, dict):
        return all(actual.get(name) == value for name, value in expected.items())
    return expected == actual


def _has_left_state(row: Row, account: Account, name: str, actual: Answer) -> bool:
    """Returns whether the job left the row's state during the call. If so, the answer proves nothing."""
    was_wrongly_accepted = isinstance(actual, dict) and not row.succeeds
    return not was_wrongly_accepted and account.state(name) != row.state


def announcement(plan: Plan, hourly_price: float) -> Iterator[str]:
    most = plan.most_instance_seconds() / 3600 * hourly_price
    replayed = len(plan.without_job) + sum(len(rows) for rows in plan.rows.values())
    yield f"{replayed} rows of the table and some open questions, on {len(plan.rows) + 1} short jobs of one instance."
    yield f"They cost at most ${most:.2f} at ${hourly_price:.2f} an hour: SageMaker itself ends each at its time limit."


def results(plan: Plan, findings: Findings, answers: Mapping[Question, str]) -> Iterator[str]:
    for row, reason in plan.left_out:
        yield f"left out   {_title(row)}: {reason}"
    for row in findings.unseen:
        yield f"not seen   {_title(row)}: no job was in that state when the script checked"
    yield from (f"not asked  {question.text} It {reason}." for question, reason in NOT_ASKED.items())
    yield from (f"asked      {question.text} {answer}" for question, answer in answers.items())
    for difference in findings.differences:
        yield f"DIFFERENT  {_title(difference.row)}"
        yield f"           the table says       {_text(difference.expected)}"
        yield f"           the account answers  {_text(difference.actual)}"
    counts = len(findings.agreed), len(findings.differences), len(findings.unseen)
    yield "{} rows agree, {} differ, {} were not seen.".format(*counts)


def _title(row: Row) -> str:
    return f"{row.fact} {row.source} {row.call} on a job that is {row.state}"


def _text(answer: Answer) -> str:
    if isinstance(answer, tuple):
        return ": ".join(answer)
    return str({name: value for name, value in answer.items() if name != "ResponseMetadata"})
