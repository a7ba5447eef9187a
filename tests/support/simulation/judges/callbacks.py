"""Judges callbacks: each state machine that waits for a job receives the job's true end exactly once."""

import json

from scheduler.adapters.dynamodb.records.job_records import job_from
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from support.account.account import Account
from support.simulation.judges.checks import Violation
from support.simulation.submissions.user_requests import UserRequests


def check(account: Account, user_requests: UserRequests) -> None:
    """Checks the end of a world, after the faults are over and the function has run again."""
    versions = [job for record in account.function_calls.history_records if (job := _job_in(record["dynamodb"]))]
    last = {job.name: job for job in sorted(versions, key=lambda job: job.version)}
    for token, name in user_requests.tokens.items():
        if token in account.orchestrators.waiting and last[name].is_finished:
            raise Violation(f"callbacks: the state of {token} still waits, but {name} has ended")
    ends = {(job.name, job.status.state.value) for job in versions if job.is_finished}
    for token, report in account.orchestrators.reports.items():
        state = json.loads(report.get("output") or report["cause"])["state"]
        if (token.partition("-task-")[0], state) not in ends:
            raise Violation(f"callbacks: {token} was reported as {state}, which its job never was")
        if (state == JobState.COMPLETED) != ("output" in report):
            raise Violation(f"callbacks: {token} was reported as {state}, by the wrong call")


def _job_in(record: dict[str, dict[str, dict[str, str]]]) -> Job | None:
    image = record["NewImage"]
    try:
        return job_from(image)
    except Exception:  # noqa: BLE001 - the queue's head, or whatever a broken record makes of the converter
        return None
