"""A program with the package sagequeue-preempt gets notice: it saves, is stopped at its answer, and resumes there."""

import shlex
import sys
from datetime import datetime
from typing import Any

from mypy_boto3_logs import CloudWatchLogsClient

from sagequeue import QueueClient
from support.deployed.container_requests import BUCKET, body
from support.deployed.estimators import printed
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

#: A notice far longer than the test takes: only the answer can end it.
POLICY = '{"patience": "0s", "protected_run_time": "0s", "notice": "30m"}'
PROGRAM = """
import time
from sagequeue_preempt import Preemptible

def save(folder):
    (folder / "state.txt").write_text("saved")

with Preemptible() as job:
    start = job.resume(lambda folder: (folder / "state.txt").read_text())
    print("starts at", start)
    for step in range(start, start + 40 if start else 100_000):
        time.sleep(0.1)
        job.step(step, save)
"""


def test_a_program_saves_before_its_preemption_and_resumes_at_the_next_step(
    operator: QueueClient, rest_api: RestApi, logs: CloudWatchLogsClient
) -> None:
    operator.apply_config(POLICY, "policy")
    rest_api.submit(saving("saver"))
    eventually(lambda: rest_api.job("saver"), lambda job: any(one["listens"] for one in job["attempts"]))
    rest_api.submit(body("urgent", "sleep 1", priority=9, instances=2))
    asked = eventually(lambda: rest_api.job("saver"), lambda job: "asked to save at" in job["reason"]["message"])
    job = eventually(lambda: rest_api.job("saver"), lambda job: job["state"] == "completed")
    first, second = job["attempts"]
    assert (first["outcome"], first["beneficiary"], second["outcome"]) == ("preempted", "urgent", "completed")
    notice = asked["attempts"][0]["notice"]
    assert moment(first["ended_at"]) < moment(notice["deadline"])
    assert "starts at 0" in printed(logs, "saver-sq-1")
    assert f"starts at {first['saved']['step'] + 1}" in printed(logs, "saver-sq-2")


def saving(name: str) -> dict[str, Any]:
    # SageMaker takes longer texts as variables than as arguments.
    request = body(name, shlex.join([sys.executable, "-c", "import os; exec(os.environ['PROGRAM'])"]))
    request["CheckpointConfig"] = {"S3Uri": f"s3://{BUCKET}/checkpoints/{name}"}
    request["Environment"] = {"SAGEQUEUE_POLL_SECONDS": "0.5", "PROGRAM": PROGRAM}
    return request


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
