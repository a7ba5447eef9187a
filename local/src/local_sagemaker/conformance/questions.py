"""The questions that AWS does not document and a cheap job answers. The answers are printed, not compared."""

from collections.abc import Callable
from typing import Any

from local_sagemaker.conformance.account import TERMINAL, Account, Answer
from local_sagemaker.conformance.plan import INVALID_REQUEST, QUESTION_JOB
from local_sagemaker.conformance.table import NOT_FOUND

_BURST = 5
NOT_ASKED = {
    "Which secondary statuses send events, and do duplicates share an id?": "needs a rule and a target in the account",
    "How long after Stopped does the quota count the instances?": "needs an exhausted quota",
    "Does MAX([m1..mn]) give a point when a host is missing?": "needs a job on several hosts",
    "Does Trainium have GPUUtilization?": "needs an accelerator",
    "What is the longest KeepAlivePeriodInSeconds?": "needs a warm pool",
    "Does an alarm on SNS keep Trigger.Metrics for Metrics Insights?": "needs an alarm; not about training jobs",
}


def ask(account: Account) -> dict[str, str]:
    """Asks each question, and returns the answers by question."""
    name = account.target.job_name(QUESTION_JOB.name)
    account.create(QUESTION_JOB.request(), name)
    by_name = {"Filters": [{"Name": "TrainingJobName", "Operator": "Equals", "Value": name}]}
    return {
        "How long after Create does Describe find the job?": _time_until_found(
            account, "describe_training_job", {"TrainingJobName": name}, bool
        ),
        "… and ListTrainingJobs?": _time_until_found(
            account, "list_training_jobs", {"NameContains": name}, lambda answer: bool(answer["TrainingJobSummaries"])
        ),
        "… and Search?": _time_until_found(
            account,
            "search",
            {"Resource": "TrainingJob", "SearchExpression": by_name},
            lambda answer: bool(answer["Results"]),
        ),
        "What is billed for a job that is stopped while it starts?": _bill_of_early_stop(account, name),
        "Does Create check its request rate before it validates?": _burst_of_invalid_creates(account),
    }


def _time_until_found(
    account: Account, call: str, parameters: dict[str, Any], is_found: Callable[[dict[str, Any]], bool]
) -> str:
    answers: list[Answer] = []

    def is_answered() -> bool:
        answer = account.answer(call, parameters)
        answers.append(answer)
        return is_found(answer) if isinstance(answer, dict) else answer != NOT_FOUND

    seconds = account.wait_until(is_answered)
    if isinstance(answers[-1], tuple):
        return ": ".join(answers[-1])
    return "not before the timeout" if seconds is None else f"{seconds:.1f} s, in call {len(answers)}"


def _bill_of_early_stop(account: Account, name: str) -> str:
    state = account.state(name)
    account.answer("stop_training_job", {"TrainingJobName": name})
    seconds = account.wait_until(lambda: account.state(name) in TERMINAL)
    if seconds is None:
        return f"it was stopped while {state}, and is still {account.state(name)}"
    described = account.describe(name)
    billed = {key: described.get(key) for key in ("BillableTimeInSeconds", "TrainingStartTime")}
    return f"{billed}; it was stopped while {state}, and {account.state(name)} after {seconds:.0f} s"


def _burst_of_invalid_creates(account: Account) -> str:
    request = account.target.substituted(INVALID_REQUEST, account.target.job_name("invalid"))
    answers = [account.answer("create_training_job", request, at_once=True) for _ in range(_BURST)]
    codes = [answer[0] if isinstance(answer, tuple) else "accepted" for answer in answers]
    return f"{_BURST} invalid requests at once got {', '.join(codes)}"
