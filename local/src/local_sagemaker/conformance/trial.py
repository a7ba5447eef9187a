"""The whole trial of an account: the rows, the questions, and clearing up whatever happens."""

from dataclasses import dataclass

from local_sagemaker.conformance.account import Account
from local_sagemaker.conformance.plan import Plan
from local_sagemaker.conformance.questions import ask
from local_sagemaker.conformance.replay import Findings, replay


@dataclass(frozen=True, slots=True)
class Outcome:
    findings: Findings
    answers: dict[str, str]  # by question
    left_behind: list[str]  # jobs that could not be removed


def hold_table_against(account: Account, plan: Plan) -> Outcome:
    try:
        findings = replay(plan, account)
        answers = ask(account)
    finally:
        left_behind = account.clear()
    return Outcome(findings, answers, left_behind)
