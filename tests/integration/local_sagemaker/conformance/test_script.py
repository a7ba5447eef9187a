"""The conformance script, run against the emulator's own server.

It was never run on AWS. Here it must find no difference, and must find a planted one.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import boto3
import pytest
from click.testing import CliRunner, Result

from integration.local_sagemaker.endpoint import BUCKET, QUICK, REGION, Endpoint
from local_sagemaker.conformance.__main__ import main
from local_sagemaker.conformance.account import Account, JobRefused, Target, Timing
from local_sagemaker.conformance.plan import make_plan
from local_sagemaker.conformance.questions import (
    ARN_CASE,
    BILL,
    BURST,
    DESCRIBED,
    FILTERS,
    KEEP_ALIVE,
    LISTED,
    NOT_ASKED,
    ORDER,
    QUESTIONS,
    REPLAYED,
    TAGGED,
    TOKEN,
    Question,
    ask,
)
from local_sagemaker.conformance.replay import Findings, replay, results
from local_sagemaker.conformance.requests import a_request
from local_sagemaker.conformance.table import TABLE, Row
from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.limits import Quotas

ROLE = "arn:aws:iam::000000000000:role/conformance"
IMAGE = "000000000000.dkr.ecr.us-east-1.amazonaws.com/shell:1"
TIMING = Timing(poll_seconds=0.2, training_seconds=2, timeout_seconds=60)
SLOW_ENOUGH = replace(QUICK, startup=lambda _request: 1.0, grace_seconds=3)  # for each state to be seen
STOPS = [row for row in TABLE if row.fact in {"2.12", "2.16"}]


@pytest.fixture
def folder(aws: None, tmp_path: Path) -> Path:
    boto3.client("s3", region_name=REGION).create_bucket(Bucket=BUCKET)
    return tmp_path


def test_the_emulator_gives_the_answers_of_the_table(folder: Path) -> None:
    with serving(folder, SLOW_ENOUGH) as endpoint, an_account(endpoint) as account:
        findings = replayed(account, TABLE)
    assert findings.differences == []
    seen = {row.state for row in findings.agreed}
    assert seen >= {"unknown", "starting", "training", "stopping", "stopped", "completed", "failed"}


def test_a_deviation_is_found(folder: Path) -> None:
    deviating = replace(SLOW_ENOUGH, unknowns=Unknowns(refuses_second_stop=True))
    with serving(folder, deviating) as endpoint, an_account(endpoint) as account:
        findings = replayed(account, STOPS)
    (difference,) = findings.differences
    assert (difference.row.fact, difference.row.state) == ("2.16", "stopping")
    assert difference.actual == (
        "ValidationException",
        "The request was rejected because the training job is in status Stopping.",
    )
    printed = list(results(make_plan(TIMING.training_seconds, STOPS), findings, {}))
    assert "DIFFERENT  2.16 U stop_training_job on a job that is stopping" in printed


def test_questions_show_how_the_account_behaves(folder: Path) -> None:
    unknowns = Unknowns(listed_after_seconds=1, tagged_after_seconds=8, lists_oldest_first=True, lower_case_arns=True)
    answers = answers_of(folder, unknowns)
    assert answers[DESCRIBED].endswith("in call 1")
    for late in (LISTED, TAGGED):
        assert re.search(r" s, in call \d+$", answers[late])
        assert not answers[late].endswith("in call 1")
    assert (answers[ARN_CASE], answers[ORDER]) == ("no", "no")
    assert {"NameContains: yes", "CreationTimeAfter: yes"} < set(answers[FILTERS].split(", "))
    assert "'TrainingStartTime': None}; it was stopped while starting" in answers[BILL]
    assert answers[BURST].count("ValidationException") == 5
    assert answers[TOKEN].startswith("accepted, after ")
    assert answers[KEEP_ALIVE] == "accepted"
    assert {*answers, *REPLAYED.values(), *NOT_ASKED} == set(QUESTIONS)


def test_another_account_gives_other_answers(folder: Path) -> None:
    unknowns = Unknowns(cuts_pages_first=False, page_token_seconds=0.5, longest_keep_alive_seconds=3600)
    answers = answers_of(folder, unknowns)
    assert answers[TAGGED].endswith("in call 1")
    assert (answers[ARN_CASE], answers[ORDER]) == ("yes", "yes")
    assert "NameContains: no, CreationTimeAfter: no, LastModifiedTimeAfter: no" in answers[FILTERS]
    assert "ValidationException" in answers[TOKEN]
    assert "ValidationException" in answers[KEEP_ALIVE]


def answers_of(folder: Path, unknowns: Unknowns) -> dict[Question, str]:
    """Asks an account that has two older jobs."""
    behaviour = replace(SLOW_ENOUGH, startup=lambda _request: 600.0, unknowns=unknowns)
    with serving(folder, behaviour) as endpoint, an_account(endpoint) as account:
        for name in ("older", "newer"):
            account.create(a_request(), account.target.job_name(name))
        account.wait_until(partial(is_listed, endpoint, account.target.job_name("newer")))
        answers = ask(account)
    assert account.jobs == []
    return answers


def is_listed(endpoint: Endpoint, name: str) -> bool:
    return bool(endpoint.client.list_training_jobs(NameContains=name)["TrainingJobSummaries"])


def test_nothing_is_left_behind(folder: Path) -> None:
    with serving(folder, SLOW_ENOUGH) as endpoint:
        with an_account(endpoint) as account:
            replayed(account, STOPS)
            assert account.jobs
        assert account.jobs == []
        assert endpoint.client.list_training_jobs()["TrainingJobSummaries"] == []
        assert "Contents" not in endpoint.s3.list_objects_v2(Bucket=BUCKET)


def test_an_account_that_refuses_the_jobs_is_left_at_once(folder: Path) -> None:
    no_instances = replace(SLOW_ENOUGH, quotas=Quotas({"ml.m5.large": 0}))
    with (
        serving(folder, no_instances) as endpoint,
        an_account(endpoint) as account,
        pytest.raises(JobRefused, match="ResourceLimitExceeded"),
    ):
        replayed(account, STOPS)


def test_it_prints_the_cost_limit_and_starts_nothing_until_costs_are_accepted() -> None:
    refused = run("--region", REGION)
    assert "They cost at most $" in refused.output
    assert "Nothing was started. Add --i-accept-costs to start." in refused.output
    assert refused.exit_code != 0


def test_it_refuses_to_start_without_a_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    refused = run("--i-accept-costs")
    assert "Missing option '--region'" in refused.output
    assert refused.exit_code != 0


@contextmanager
def serving(folder: Path, behaviour: Behaviour) -> Iterator[Endpoint]:
    endpoint = Endpoint(folder, behaviour)
    endpoint.start()
    try:
        yield endpoint
    finally:
        endpoint.stop()


def an_account(endpoint: Endpoint) -> Account:
    target = Target(REGION, ROLE, BUCKET, IMAGE, run="test")
    return Account(target, boto3.Session(region_name=REGION), TIMING, endpoint.url)


def replayed(account: Account, table: Iterable[Row]) -> Findings:
    findings = Findings()
    replay(make_plan(TIMING.training_seconds, table), account, findings)
    return findings


def run(*options: str) -> Result:
    return CliRunner().invoke(main, ["--role", ROLE, "--bucket", BUCKET, "--image", IMAGE, *options])
