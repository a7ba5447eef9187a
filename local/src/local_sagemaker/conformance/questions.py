"""Asks an account about behaviour that AWS does not document. Most questions need a cheap job. Prints the answers.

docs/contribute/open-questions.md explains for each question why the queue works with either answer.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from local_sagemaker.conformance.account import TERMINAL, Account, Answer
from local_sagemaker.conformance.plan import INVALID_REQUEST, POOL_REQUEST, QUESTION_JOB
from local_sagemaker.conformance.table import NOT_FOUND

_BURST = 5
_TAGS = [{"Key": "asks", "Value": "when"}]
_OLDEST_FIRST = {"MaxResults": 1, "SortBy": "CreationTime", "SortOrder": "Ascending"}
_FILTERS = ("NameContains", "CreationTimeAfter", "LastModifiedTimeAfter")


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    decides: tuple[str, ...] = ()  # members of `Unknowns`


DESCRIBED = Question("How long after Create does Describe find the job?", ("described_after_seconds",))
LISTED = Question("How long after Create does ListTrainingJobs show the job?", ("listed_after_seconds",))
SEARCHED = Question("How long after Create does Search find the job?", ("listed_after_seconds",))
TAGGED = Question("How long after Create does ListTags show the job's tags?", ("tagged_after_seconds",))
ARN_CASE = Question("Does the ARN keep the case of the name?", ("lower_case_arns",))
ORDER = Question("Does ListTrainingJobs return the newest job first by default?", ("lists_oldest_first",))
FILTERS = Question("Does ListTrainingJobs cut its pages before it filters?", ("cuts_pages_first",))
TOKEN = Question("How long does ListTrainingJobs accept a NextToken?", ("page_token_seconds",))
BILL = Question("What does SageMaker bill for a job that is stopped while it starts?")
BURST = Question("Does Create check its request rate before it validates?", ("validates_before_throttling",))
KEEP_ALIVE = Question("Can KeepAlivePeriodInSeconds exceed an hour?", ("longest_keep_alive_seconds",))

#: The table has a row for this question, so the replay asks it.
REPLAYED = {"2.16": Question("Does SageMaker refuse to stop a job that is already Stopping?", ("refuses_second_stop",))}

NOT_ASKED = {
    Question(
        "Which changes send events, in which form, and do duplicate events share an id?",
        ("silent_statuses", "sends_undocumented_events", "events_as_documented"),
    ): "needs a rule and a target in the account",
    Question("For how long after a stop do the instances count against the quota?", ("frees_quota_after_seconds",)): (
        "needs a used-up quota"
    ),
    Question("Which status does a job get when its pending time exceeds the limit?", ("long_pending_fails",)): (
        "needs an accelerator type that SageMaker lacks"
    ),
    Question(
        "Does the value of a stopped training job count in its tuning job, and with which status does a time limit "
        "end a tuning job?",
        ("stopped_trials_count", "limits_stop_tuning_jobs"),
    ): "needs several training jobs",
    Question("Does Describe ignore the case of a tuning job's name, as Create does?"): "needs a tuning job",
    Question("How soon can SageMaker assume a new role?"): "needs permission to create roles",
    Question("Does MAX([m1..mn]) give a value when one host has no data?"): "needs a job on several hosts",
    Question("Does Trainium report GPUUtilization?"): "needs an accelerator",
    Question("Does an SNS message of a Metrics Insights alarm contain Trigger.Metrics?"): (
        "needs an alarm; not about training jobs"
    ),
    Question("Does S3 treat the bucket policy for stop notices as public, and refuse it?"): (
        "needs the stack's bucket: its deployment asks, and fails if so"
    ),
    Question("Can a training job's role read its stop notice and acknowledge it?"): (
        "needs the stack's bucket: sagequeue doctor shows it with a first job"
    ),
}


def ask(account: Account) -> dict[Question, str]:
    """Asks each question, and returns the answers by question."""
    began, token = time.monotonic(), _token(account)
    name = account.target.job_name(QUESTION_JOB.name)
    account.create(QUESTION_JOB.request() | {"Tags": _TAGS}, name)
    answers = {question: until_found(account, name) for question, until_found in _UNTIL_FOUND.items()}
    answers |= {question: answer(account, name) for question, answer in _ABOUT_THE_JOB.items()}
    return answers | {TOKEN: _life_of(account, token, began)}


def _until(
    call: str, parameters: Callable[[str, Account], dict[str, Any]], member: str
) -> Callable[[Account, str], str]:
    """Returns a question that measures the time until the call finds the job, or until its answer has this member."""
    return lambda account, name: _time_until_found(
        account, call, parameters(name, account), lambda answer: bool(answer[member])
    )


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


def _named(name: str, _account: Account) -> dict[str, Any]:
    by_name = {"Filters": [{"Name": "TrainingJobName", "Operator": "Equals", "Value": name}]}
    return {"Resource": "TrainingJob", "SearchExpression": by_name}


_UNTIL_FOUND: Mapping[Question, Callable[[Account, str], str]] = {
    DESCRIBED: _until("describe_training_job", lambda name, _: {"TrainingJobName": name}, "TrainingJobArn"),
    LISTED: _until("list_training_jobs", lambda name, _: {"NameContains": name}, "TrainingJobSummaries"),
    SEARCHED: _until("search", _named, "Results"),
    TAGGED: _until(
        "list_tags", lambda name, account: {"ResourceArn": account.describe(name)["TrainingJobArn"]}, "Tags"
    ),
}


def _case_of_arn(account: Account, name: str) -> str:
    return "yes" if account.describe(name)["TrainingJobArn"].endswith(f"/{name}") else "no"


def _order_of_list(account: Account, name: str) -> str:
    first = _page(account, {"MaxResults": 1})
    if isinstance(first, tuple):
        return ": ".join(first)
    return "yes" if [job["TrainingJobName"] for job in first["TrainingJobSummaries"]] == [name] else "no"


def _filters_of_list(account: Account, name: str) -> str:
    """Looks for the newest job in pages of one job, oldest first.

    An empty page shows that SageMaker filters after it cuts pages.
    """
    oldest = _page(account, _OLDEST_FIRST)
    if isinstance(oldest, tuple):
        return ": ".join(oldest)
    if [job["TrainingJobName"] for job in oldest["TrainingJobSummaries"]] == [name]:
        return "the account has no older job that could show it"
    created = account.describe(name)["CreationTime"]
    values = dict.fromkeys(_FILTERS, created) | {"NameContains": name}
    return ", ".join(f"{member}: {_is_cut_first(account, {member: value})}" for member, value in values.items())


def _is_cut_first(account: Account, chosen: dict[str, Any]) -> str:
    page = _page(account, _OLDEST_FIRST | chosen)
    if isinstance(page, tuple):
        return ": ".join(page)
    is_empty = not page["TrainingJobSummaries"] and "NextToken" in page
    return "yes" if is_empty else "no"


def _page(account: Account, parameters: dict[str, Any]) -> Answer:
    return account.answer("list_training_jobs", parameters)


def _token(account: Account) -> str | None:
    page = _page(account, _OLDEST_FIRST)
    return page.get("NextToken") if isinstance(page, dict) else None


def _life_of(account: Account, token: str | None, began: float) -> str:
    if token is None:
        return "the account has no second page that could show it"
    page = _page(account, _OLDEST_FIRST | {"NextToken": token})
    answer = ": ".join(page) if isinstance(page, tuple) else "accepted"
    return f"{answer}, after {time.monotonic() - began:.0f} s"


def _bill_of_early_stop(account: Account, name: str) -> str:
    state = account.state(name)
    account.answer("stop_training_job", {"TrainingJobName": name})
    seconds = account.wait_until(lambda: account.state(name) in TERMINAL)
    if seconds is None:
        return f"it was stopped while {state}, and is still {account.state(name)}"
    described = account.describe(name)
    billed = {key: described.get(key) for key in ("BillableTimeInSeconds", "TrainingStartTime")}
    return f"{billed}; it was stopped while {state}, and {account.state(name)} after {seconds:.0f} s"


def _burst_of_invalid_creates(account: Account, _name: str) -> str:
    request = account.target.substituted(INVALID_REQUEST, account.target.job_name("invalid"))
    answers = [account.answer("create_training_job", request, at_once=True) for _ in range(_BURST)]
    codes = [answer[0] if isinstance(answer, tuple) else "accepted" for answer in answers]
    return f"{_BURST} invalid requests at once got {', '.join(codes)}"


def _long_keep_alive(account: Account, _name: str) -> str:
    """Asks for a long period.

    An account without a warm-pool quota may report the missing quota, or refuse the period first.
    """
    name = account.target.job_name("keeps")
    answer = account.answer("create_training_job", account.target.substituted(POOL_REQUEST, name))
    if isinstance(answer, tuple):
        return ": ".join(answer)
    account.answer("stop_training_job", {"TrainingJobName": name})
    return "accepted"


_ABOUT_THE_JOB: Mapping[Question, Callable[[Account, str], str]] = {
    BILL: _bill_of_early_stop,  # first, while the job starts
    ARN_CASE: _case_of_arn,
    ORDER: _order_of_list,
    FILTERS: _filters_of_list,
    BURST: _burst_of_invalid_creates,
    KEEP_ALIVE: _long_keep_alive,
}
#: Every question, in the order of the answers.
QUESTIONS = (*_UNTIL_FOUND, *_ABOUT_THE_JOB, TOKEN, *REPLAYED.values(), *NOT_ASKED)
