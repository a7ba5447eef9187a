"""A sweep sends the digests of the last 24 hours through moto's SNS, once."""

from collections.abc import Callable
from typing import Any

import boto3
import pytest

from history import handler as history
from integration.functions.conftest import configure
from integration.functions.schedule.test_spending_warnings import mailbox, one_clock
from local_sagemaker.simulation import Simulation
from scheduler.adapters.dynamodb.digests import DIGESTS
from scheduler.adapters.dynamodb.records.job_records import job_key
from support.account.simulated_queue import request

__all__ = ["mailbox", "one_clock"]  # fixtures

Call = Callable[..., tuple[int, dict[str, Any]]]
Schedule = Callable[[], None]
Read = Callable[[], list[dict[str, Any]]]


def record(sagemaker: Simulation, table: str, job: str) -> None:
    """Delivers the stream's record of the job's last version."""
    image = boto3.client("dynamodb").get_item(TableName=table, Key=job_key(job))["Item"]
    history.handle(
        {"Records": [{"dynamodb": {"ApproximateCreationDateTime": int(sagemaker.now), "NewImage": image}}]}, None
    )


@pytest.fixture
def a_day(table: str, call: Call, schedule: Schedule, sagemaker: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """One job failed, one runs and one waits, and the digests are due."""
    monkeypatch.setenv("EVENT_BUS", "")
    configure(call, notices={"owners": ["digest"], "digest_hour": 1})
    call("POST", "/add-job", request("broken"))
    schedule()
    sagemaker.run(600)
    sagemaker.fail("broken-sq-1", "AlgorithmError: s3cret")
    schedule()
    record(sagemaker, table, "broken")
    call("POST", "/add-job", request("resnet", instances=2, StoppingCondition={"MaxRuntimeInSeconds": 864_000}))
    call("POST", "/add-job", request("waits"))
    schedule()
    sagemaker.run(3600)


def test_a_digest_is_sent_once(a_day: None, table: str, schedule: Schedule, mailbox: Read) -> None:
    schedule()
    (digest,) = mailbox()
    assert (digest["kind"], digest["job"], digest["state"]) == ("digest", "", "")
    lines = digest["reason"].splitlines()
    assert lines[0] == "Your jobs in the 24 hours before 2026-01-01 01:00 UTC:"
    assert lines[1] == "Failed: 1 (broken: user)."
    assert "s3cret" not in digest["reason"]
    keys = [item["sk"]["S"] for item in boto3.client("dynamodb").scan(TableName=table)["Items"] if DIGESTS in str(item)]
    assert sorted(keys) == ["FINISHED", f"OWNER#{digest['owner']}", "SENDING"]
    schedule()
    assert mailbox() == []


def test_a_broken_record_of_a_waiting_job_stops_no_digest(
    a_day: None, table: str, call: Call, schedule: Schedule, mailbox: Read
) -> None:
    call("POST", "/add-job", request("later", tags={"queue:hold": "true"}))
    boto3.client("dynamodb").update_item(
        TableName=table, Key=job_key("waits"), UpdateExpression="REMOVE #o", ExpressionAttributeNames={"#o": "owner"}
    )
    schedule()
    (digest,) = mailbox()
    assert digest["reason"].splitlines()[1] == "Failed: 1 (broken: user)."
    assert "On hold: 1." in digest["reason"].splitlines()


def test_a_digest_names_parked_jobs_with_their_reasons(
    a_day: None, call: Call, schedule: Schedule, mailbox: Read
) -> None:
    call("POST", "/add-job", request("train", tags={"queue:after-ok": "waits"}))
    call("POST", "/jobs/waits/cancel")
    schedule()
    (digest,) = mailbox()
    assert [line for line in digest["reason"].splitlines() if line.startswith("Parked")] == [
        "Parked: 1 (train: it starts only after waits has completed, but it is stopped)."
    ]
    assert digest["remedy"] == "`sagequeue show JOB` shows why a job failed or is parked, and what to do."
