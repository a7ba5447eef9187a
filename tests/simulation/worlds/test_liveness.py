"""The judge of idle budget knows why a job may wait although instances are free."""

from typing import Any

from local_sagemaker.simulation import Workload
from support.account.account import Account
from support.account.simulated_queue import request
from support.faults.call_faults import NoFaults
from support.simulation.judges.invariants import Invariants
from support.simulation.runs.liveness import run_to_the_end
from support.simulation.submissions.user_requests import UserRequests


def test_a_job_may_wait_for_one_that_writes_inside_its_checkpoint_prefix() -> None:
    account, user_requests = Account(NoFaults(), course=lambda _request: Workload(trains=1200)), UserRequests()
    invariants = Invariants(account, user_requests, {"ml.m5.large": 2})
    for name, prefix in (("inside", "sweep/0"), ("outside", "sweep")):
        submit(account, user_requests, request(name, CheckpointConfig={"S3Uri": f"s3://bucket/{prefix}"}))
    run_to_the_end(account, user_requests, invariants)
    began = [job.created_at for job in account.simulation.machine.jobs.values()]
    assert max(began) - min(began) > 1200
    account.close()


def submit(account: Account, user_requests: UserRequests, body: dict[str, Any]) -> None:
    name = body["TrainingJobName"]
    user_requests.tags[name] = {tag["Key"]: tag["Value"] for tag in body["Tags"]}
    assert account.ask("POST", "/add-job", body).status == 201
    user_requests.accepted[name] = body
