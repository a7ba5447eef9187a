"""The lines that the script prints: the cost limit first, then the results."""

from collections.abc import Iterator, Mapping

from local_sagemaker.conformance.account import Answer
from local_sagemaker.conformance.plan import Plan
from local_sagemaker.conformance.questions import NOT_ASKED
from local_sagemaker.conformance.replay import Findings
from local_sagemaker.conformance.table import Row


def announcement(plan: Plan, hourly_price: float) -> Iterator[str]:
    most = plan.most_instance_seconds() / 3600 * hourly_price
    replayed = len(plan.without_job) + sum(len(rows) for rows in plan.rows.values())
    yield f"{replayed} rows of the table and some open questions, on {len(plan.rows) + 1} short jobs of one instance."
    yield f"They cost at most ${most:.2f} at ${hourly_price:.2f} an hour: SageMaker itself ends each at its time limit."


def results(plan: Plan, findings: Findings, answers: Mapping[str, str]) -> Iterator[str]:
    for row, reason in plan.left_out:
        yield f"left out   {_title(row)}: {reason}"
    for row in findings.unseen:
        yield f"not seen   {_title(row)}: no job was in that state when the script checked"
    yield from (f"not asked  {question} It {reason}." for question, reason in NOT_ASKED.items())
    yield from (f"asked      {question} {answer}" for question, answer in answers.items())
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
