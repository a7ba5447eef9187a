"""Builds a job, with its choices, from a request that passes `budget_check` and `unsupported_requests`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Choice, Job, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.requests.alternatives import Alternative, point_refusals_at_choice
from scheduler.core.requests.budget_check import refuse_over_budget
from scheduler.core.requests.instance_preferences import has_preferences, refuse_beside_alternatives
from scheduler.core.requests.options import JobOptions, is_option, read_options
from scheduler.core.requests.request_reading import demand_of, digest_of, is_spot, max_runtime_of
from scheduler.core.requests.unsupported_requests import refuse_unsupported
from scheduler.core.warm_pools.matching import pool_key


def build_job(
    request: Mapping[str, Any],
    options: JobOptions,
    *,
    owner: str,
    budget: Budget,
    now: datetime,
    client_token: str | None = None,
) -> Job:
    """Returns the job for a valid CreateTrainingJob request. Raises BadRequest."""
    refuse_unsupported(request)
    demand, prefers = demand_of(request), has_preferences(request)
    refuse_over_budget(demand, budget, prefers=prefers)
    return Job(
        name=request["TrainingJobName"],
        state=JobState.HELD if options.hold else JobState.PENDING,
        priority=options.priority,
        demand=demand,
        submitted_at=now,
        updated_at=now,
        owner=owner,
        digest=_digest(request, options),
        reason=_first_reason(options),
        max_runtime=max_runtime_of(request),
        spot=is_spot(request),
        subnets=tuple(request.get("VpcConfig", {}).get("Subnets", ())),
        checkpoint_uri=request.get("CheckpointConfig", {}).get("S3Uri"),
        never_preempt=options.never_preempt,
        idle_exempt=options.idle_exempt,
        tags=tuple((tag["Key"], tag["Value"]) for tag in request.get("Tags", ()) if not is_option(tag["Key"])),
        checkpoint_interval=options.checkpoint_interval,
        keep_alive=_keep_alive(request),
        pool_key=pool_key(request),
        has_preferences=prefers,
        client_token=client_token,
    )


def with_choices(
    job: Job, requests: Sequence[Mapping[str, Any]], alternatives: Sequence[Alternative], budget: Budget
) -> Job:
    """Returns the job with a choice for each request, or unchanged if it has no alternatives. Raises BadRequest."""
    if not alternatives:
        return job
    refuse_beside_alternatives(requests)
    choices, waits = [], (0, *(alternative.wait_for_better for alternative in alternatives))
    for number, (request, wait) in enumerate(zip(requests, waits, strict=True)):
        with point_refusals_at_choice(number):
            refuse_unsupported(request)
            choices.append(_choice(request, wait))
            refuse_over_budget(choices[-1].demand, budget)
    return replace(job, choices=tuple(choices))


def _choice(request: Mapping[str, Any], wait_for_better: int) -> Choice:
    return Choice(
        demand=demand_of(request),
        max_runtime=max_runtime_of(request),
        spot=is_spot(request),
        wait_for_better=wait_for_better,
        keep_alive=_keep_alive(request),
        pool_key=pool_key(request),
    )


def _keep_alive(request: Mapping[str, Any]) -> int:
    """Returns 0 for preferences: AWS does not document whether SageMaker keeps what it selected, nor for which jobs."""
    seconds: int = request["ResourceConfig"].get("KeepAlivePeriodInSeconds", 0)
    return 0 if has_preferences(request) else seconds


def _digest(request: Mapping[str, Any], options: JobOptions) -> str:
    """Returns a digest of the request and of the options beside it.

    Options that have their defaults do not count, so that a new option in a later version leaves digests as they are.
    """
    if options == read_options(request, {}):
        return digest_of(request)
    defaults = asdict(JobOptions())
    chosen = {name: value for name, value in asdict(options).items() if value != defaults[name]}
    return digest_of({"request": request, "options": chosen})


def _first_reason(options: JobOptions) -> Reason:
    if options.hold:
        return Reason(ReasonCode.HELD, "held since its submission, until it is released")
    return Reason(ReasonCode.SUBMITTED, "")
