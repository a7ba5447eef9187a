"""Programs that wait in `fit` or `train` see the job preempted and resumed. `pytest -s` prints the transcripts."""

import re

import pytest
from mypy_boto3_logs import CloudWatchLogsClient

from local_account import LocalAccount
from sdks.environments import Program, output_of, started
from support.deployed.container_requests import body
from support.deployed.estimators import printed
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

V2 = ("v2-oldest", "v2")
QUEUED = "queued: position 1"
RESUMED = "resumed from checkpoint: continuing at epoch"
# SDK v2 asks for the log and for the status by turns, so which of a line and a status comes first is chance.
LOGGED = ["epoch 1/12", RESUMED, "epoch 12/12", "done: accuracy"]
TOLD = [
    "preempted (for|by) urgent",
    QUEUED,
    RESUMED,
    r"model: s3://\S+/digits\S*-sq-2/output/model\.tar\.gz",
    r"attached: s3://\S+/digits\S*-sq-2/output/model\.tar\.gz",
    r"clients verified: [1-9]",
]


@pytest.mark.parametrize("sdk", V2)
def test_who_waits_in_fit_watches_the_job_being_preempted_and_resumed(
    account: LocalAccount, rest_api: RestApi, logs: CloudWatchLogsClient, sdk: str
) -> None:
    with started(account, sdk, "digits_v2", f"digits-{sdk}", "12") as program:
        assert_watches_a_preemption(program, rest_api, logs, f"digits-{sdk}")


@pytest.mark.parametrize(("name", "options"), [("digits-v3", []), ("digits-installed", ["installed"])])
def test_who_waits_in_train_watches_the_job_being_preempted_and_resumed(
    account: LocalAccount, rest_api: RestApi, logs: CloudWatchLogsClient, name: str, options: list[str]
) -> None:
    with started(account, "v3", "digits_v3", name, "12", *options) as program:
        assert_watches_a_preemption(program, rest_api, logs, name)


def assert_watches_a_preemption(program: Program, rest_api: RestApi, logs: CloudWatchLogsClient, name: str) -> None:
    """Preempts the program's job for another one, which ends when the program has printed that its job waits again."""
    job = eventually(lambda: the_job(rest_api, name), bool, within=120)
    eventually(lambda: has_printed(logs, f"{job}-sq-1", "epoch 2/"), bool)
    urgent = f"urgent-{name}"
    rest_api.submit(body(urgent, "sleep 600", priority=9))
    told = re.compile(f"preempted (for|by) {urgent}.*{QUEUED}", re.DOTALL)
    try:  # SDK v2 looks every 30 seconds how the job is
        eventually(program.printed, lambda output: told.search(output) is not None, within=120)
    finally:
        rest_api.cancel(urgent)
    output = program.ended()
    print(output)
    for story in (LOGGED, TOLD):
        assert re.search(".*".join(story), output.replace(urgent, "urgent"), re.DOTALL), output


def the_job(rest_api: RestApi, name: str) -> str:
    """Its name, once it is there: SDK v3 adds the time to what it is given."""
    whole = re.compile(rf"{name}(-\d+)?")  # digits-v2 is not digits-v2-oldest
    return next((job["name"] for job in rest_api.jobs() if whole.fullmatch(job["name"])), "")


def has_printed(logs: CloudWatchLogsClient, attempt: str, text: str) -> bool:
    try:
        return any(text in line for line in printed(logs, attempt))
    except logs.exceptions.ResourceNotFoundException:  # the account's first job has not printed anything yet
        return False


def test_sdk_v3_goes_straight_to_sagemaker_without_our_session(account: LocalAccount) -> None:
    output = output_of(account, "v3", "digits_v3", "straight", "1", "straight")
    assert re.search(r"model: s3://\S+/straight-\d+/output/model\.tar\.gz", output), output
