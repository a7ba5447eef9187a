"""Judges callbacks: each state machine or pipeline that waits for a job receives the job's true end exactly once."""

import json
from collections.abc import Collection, Mapping

from local_sagemaker.state_machine.pipelines.execution import StepStatus
from scheduler.adapters.dynamodb.records.job_records import job_from
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from support.account.account import Account
from support.simulation.judges.checks import Violation
from support.simulation.submissions.user_requests import UserRequests


def check(account: Account, user_requests: UserRequests) -> None:
    """Checks a world at its end, after the faults are over and the function has run again."""
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
    _check_steps(account, user_requests, last, ends)


def _check_steps(
    account: Account, user_requests: UserRequests, last: Mapping[str, Job], ends: Collection[tuple[str, str]]
) -> None:
    """Checks the steps of pipelines, on SageMaker's own records. SageMaker ends a step once."""
    for token, name in user_requests.steps.items():
        found = account.simulation.machine.pipelines.waiting(token)
        assert found is not None
        _, step = found
        if step.status is StepStatus.EXECUTING:
            if token in user_requests.accepted_steps and last[name].is_finished:
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
