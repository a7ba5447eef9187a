"""Judges callbacks: each receiver that waits for a job gets its true end, and can recognise a repeat by its id."""

import hmac
import json
from collections.abc import Collection, Iterator
from typing import Any

from local_sagemaker.state_machine.pipelines.execution import StepStatus
from scheduler.adapters.dynamodb.records.job_records import job_from
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from support.account.account import Account
from support.account.function_calls import SWEEP_SECONDS
from support.account.webhooks import SECRET as KEY
from support.simulation.judges.checks import Violation
from support.simulation.submissions.user_requests import SECRET, UserRequests


def check(account: Account, user_requests: UserRequests) -> None:
    """Checks a world at its end, after the faults are over and the function has run again."""
    versions = [job for record in account.function_calls.history_records if (job := _job_in(record["dynamodb"]))]
    last = {job.name: job for job in sorted(versions, key=lambda job: job.version)}
    # A job that has only just ended, such as one that expired in the world's last minute, is reported a minute later.
    late = account.now - 2 * SWEEP_SECONDS
    due = {name for name, job in last.items() if job.is_finished and job.status.updated_at.timestamp() < late}
    for token, name in user_requests.tokens.items():
        if token in account.orchestrators.waiting and name in due:
            raise Violation(f"callbacks: the state of {token} still waits, but {name} has ended")
    ends = {(job.name, job.status.state.value) for job in versions if job.is_finished}
    for token, report in account.orchestrators.reports.items():
        state = json.loads(report.get("output") or report["cause"])["state"]
        if (token.partition("-task-")[0], state) not in ends:
            raise Violation(f"callbacks: {token} was reported as {state}, which its job never was")
        if (state == JobState.COMPLETED) != ("output" in report):
            raise Violation(f"callbacks: {token} was reported as {state}, by the wrong call")
    _check_steps(account, user_requests, due, ends)
    _check_receivers(account, user_requests, due, ends)


def _check_receivers(
    account: Account, user_requests: UserRequests, due: Collection[str], ends: Collection[tuple[str, str]]
) -> None:
    """Checks buses and HTTPS endpoints, which may get an end many times, but count each id once."""
    ids: dict[tuple[str, ...], str] = {}  # by the receiver and the end
    for address, outcome in _reported(account):
        end = (outcome["job"], outcome["state"])
        if end not in ends or not address.endswith(outcome["job"]):
            raise Violation(f"callbacks: {address} got the end {end}, which its job never had")
        if ids.setdefault((address, *end, outcome["ended_at"]), outcome["id"]) != outcome["id"]:
            raise Violation(f"callbacks: {address} counts the end {end} twice, since its report has two ids")
    reached = {address for address, *_ in ids}
    for address, name in user_requests.receivers.items():
        if name in due and address not in reached:
            raise Violation(f"callbacks: {address} never got the end of {name}")


def _reported(account: Account) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields each outcome with the bus or the URL that got it. Checks what a receiver checks."""
    yield from account.monitoring.ends
    for received in account.webhooks.received:
        signed = f"{received.headers['SageQueue-Timestamp']}.".encode() + received.body
        if received.headers["SageQueue-Signature"] != f"v1={hmac.digest(KEY.encode(), signed, 'sha256').hex()}":
            raise Violation(f"callbacks: {received.url} got a request with a wrong signature")
        outcome = json.loads(received.body)
        if received.headers["SageQueue-Notice"] != outcome["id"] or SECRET in received.body.decode():
            raise Violation(f"callbacks: {received.url} got a request with a wrong id or with a secret")
        yield received.url, outcome


def _check_steps(
    account: Account, user_requests: UserRequests, due: Collection[str], ends: Collection[tuple[str, str]]
) -> None:
    """Checks the steps of pipelines, on SageMaker's own records. SageMaker ends a step once."""
    for token, name in user_requests.steps.items():
        found = account.simulation.machine.pipelines.waiting(token)
        assert found is not None
        _, step = found
        if step.status is StepStatus.EXECUTING:
            if token in user_requests.accepted_steps and name in due:
                raise Violation(f"callbacks: the step {token} still waits, but {name} has ended")
            continue
        is_success = step.status is StepStatus.SUCCEEDED
        states = [state for job, state in ends if job == name and (state == JobState.COMPLETED) == is_success]
        if is_success and not (states and step.outputs["job"] == name):
            raise Violation(f"callbacks: the step {token} succeeded, but {name} never completed")
        if not is_success and not any(f"The job {name} {state}: " in step.failure_reason for state in states):
            raise Violation(f"callbacks: the step {token} failed, but {name} did not: {step.failure_reason}")


def _job_in(record: dict[str, dict[str, dict[str, str]]]) -> Job | None:
    image = record["NewImage"]
    try:
        return job_from(image)
    except Exception:  # noqa: BLE001 - the queue's head, or whatever a broken record makes of the converter
        return None
