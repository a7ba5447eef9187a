"""Calls the deployed API at random with Schemathesis, as docs/openapi.json allows and as it does not.

FUZZ_SECONDS and FUZZ_SEED set duration and seed: `make test-fuzz`.
"""

import os
import re
import subprocess
from pathlib import Path

import boto3
import pytest

from fuzz.stored import garbage
from local_account import LocalAccount
from local_account.logs import GroupLog, find_logs
from sagequeue import QueueClient
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from support.checkout import CHECKOUT
from support.deployed.container_requests import body
from support.deployed.waiting import eventually

TOOL = CHECKOUT / ".venvs" / "schemathesis" / "bin" / "schemathesis"
SECONDS = int(os.environ.get("FUZZ_SECONDS", "60"))
SEED = os.environ.get("FUZZ_SEED", "1")
JOBS_BEFORE = 12
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "ignored_auth",
)


@pytest.fixture
def jobs(queue: QueueClient) -> None:
    """Submits the jobs that hooks.py directs calls to: a few run, the others wait or are held."""
    for number in range(JOBS_BEFORE):
        queue.submit(body(f"fuzz-{number}", "sleep 5", priority=number), {"hold": number % 3 == 0})


@pytest.mark.usefixtures("jobs")
def test_no_call_fails_or_gets_an_answer_that_is_not_documented(shell: dict[str, str], tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603 - our own command
        [
            *(TOOL, "run", CHECKOUT / "docs" / "openapi.json", "--url", shell["SAGEQUEUE_API_URL"]),
            *("--phases", "examples,coverage,fuzzing,stateful", "--checks", ",".join(CHECKS)),
            *("--max-time", str(SECONDS), "--seed", SEED, "--suppress-health-check", "all"),
        ],
        cwd=tmp_path,  # it writes its failures there
        env=os.environ | {"SCHEMATHESIS_HOOKS": str(Path(__file__).with_name("hooks.py"))},
        capture_output=True,
        text=True,
        check=False,
    )
    print(done.stdout)  # its coverage
    assert done.returncode == 0, done.stdout + done.stderr
    (calls,) = re.findall(r"(\d+) generated", done.stdout)
    assert int(calls) > SECONDS


def test_no_function_failed_meanwhile(account: LocalAccount, shell: dict[str, str]) -> None:
    """Checks that no function logged an error. A refused call is not an error."""
    logs = [log for log in find_logs(account.paths.logs, boto3.client("logs"), "Logs") if isinstance(log, GroupLog)]
    lines = [f"{log.name}: {line}" for log in logs for line in log.read_new()]
    assert {"ApiLogs", "ScheduleLogs"} <= {line.partition(":")[0] for line in lines}
    failed = re.compile(r'Traceback|"level":\s*"ERROR"|timed out')
    assert not [line for line in lines if failed.search(line)]


def test_nothing_that_was_stored_is_garbage(shell: dict[str, str]) -> None:
    dynamodb, s3 = boto3.client("dynamodb"), boto3.client("s3")
    (table,) = dynamodb.list_tables()["TableNames"]
    stack = boto3.client("cloudformation").describe_stacks(StackName="sagequeue")["Stacks"][0]
    (bucket,) = (output["OutputValue"] for output in stack["Outputs"] if output["OutputKey"] == "BodyBucketName")
    pages = dynamodb.get_paginator("scan").paginate(TableName=table)
    items = [item for page in pages for item in page["Items"]]
    assert len(items) > JOBS_BEFORE
    assert not [*garbage(items, S3Requests(lambda: s3, bucket))]


def test_the_queue_runs_jobs_after_all_these_calls(queue: QueueClient) -> None:
    queue.resume()
    queue.reset_budget()
    queue.roll_back_config(1)  # the local account's defaults
    queue.submit(body("afterwards", priority=9999))
    eventually(lambda: queue.get("afterwards")["state"], lambda state: state == "completed")
