"""Whoever waits in `fit` or `train` watches the job being preempted and resumed. `pytest -s` shows the transcripts."""

import re
from subprocess import Popen

import pytest
from mypy_boto3_logs import CloudWatchLogsClient

from e2e.bodies import body
from e2e.door import Door
from e2e.patience import eventually
from e2e.training import printed
from local_account import LocalAccount
from sdks.environments import ended, start

V2 = ("v2-oldest", "v2")
TOLD = [
    r"epoch 1/12",
    r"preempted (for|by) urgent",
    r"queued: position 1",
    r"resumed from checkpoint: continuing at epoch",
    r"epoch 12/12",
    r"done: accuracy",
    r"model: s3://\S+/digits\S*-sq-2/output/model\.tar\.gz",
    r"attached: s3://\S+/digits\S*-sq-2/output/model\.tar\.gz",
    r"clients verified: [1-9]",
]


@pytest.mark.parametrize("sdk", V2)
def test_who_waits_in_fit_watches_the_job_being_preempted_and_resumed(
    account: LocalAccount, door: Door, logs: CloudWatchLogsClient, sdk: str
) -> None:
    # SDK v2 looks every 30 seconds how the job is: shorter waits are over before it has looked.
    output = interrupted(start(account, sdk, "digits_v2.py", f"digits-{sdk}", "12"), door, logs, f"digits-{sdk}", "35")
    assert re.search(".*".join(TOLD), output.replace(f"urgent-digits-{sdk}", "urgent"), re.DOTALL), output


def test_who_waits_in_train_watches_the_job_being_preempted_and_resumed(
    account: LocalAccount, door: Door, logs: CloudWatchLogsClient
) -> None:
    output = interrupted(start(account, "v3", "digits_v3.py", "digits-v3", "12"), door, logs, "digits-v3", "12")
    assert re.search(".*".join(TOLD), output.replace("urgent-digits-v3", "urgent"), re.DOTALL), output


def interrupted(program: "Popen[str]", door: Door, logs: CloudWatchLogsClient, name: str, seconds: str) -> str:
    """What the program prints while its job is preempted for another one that takes so many seconds."""
    job = eventually(lambda: the_job(door, name), bool)
    eventually(lambda: has_printed(logs, f"{job}-sq-1", "epoch 2/"), bool)
    door.submit(body(f"urgent-{name}", f"sleep {seconds}", priority=9))
    output = ended(program)
    print(output)
    return output


def the_job(door: Door, beginning: str) -> str:
    """Its name, once it is there: SDK v3 adds the time to what it is given."""
    return next((job["name"] for job in door.jobs() if job["name"].startswith(beginning)), "")


def has_printed(logs: CloudWatchLogsClient, attempt: str, text: str) -> bool:
    try:
        return any(text in line for line in printed(logs, attempt))
    except logs.exceptions.ResourceNotFoundException:  # the account's first job has not printed anything yet
        return False


def test_sdk_v3_goes_straight_to_sagemaker_without_our_session(account: LocalAccount) -> None:
    output = ended(start(account, "v3", "digits_v3.py", "straight", "1", "straight"))
    assert re.search(r"model: s3://\S+/straight-\d+/output/model\.tar\.gz", output), output
