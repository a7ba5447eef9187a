"""Builds a job, with its choices, from a request that the queue can run and that fits the whole budget."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from typing import Any

from scheduler.core.calendar.times import option_values
from scheduler.core.calendar.times.timers import waits_for_time
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.dependencies.option_values import refuse_itself
from scheduler.core.jobs.job import Job, JobOptions, JobSpec, JobStatus
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.start_conditions import JobTimes
from scheduler.core.jobs.work.kind import WorkKind, kind_of, name_in
from scheduler.core.requests.alternatives import Alternative, point_refusals_at_choice
from scheduler.core.requests.instances import instances_of
from scheduler.core.requests.options import SubmissionOptions, is_option, read_options
from scheduler.core.requests.processing import reading as processing
from scheduler.core.requests.processing.reading import refuse_unsupported_processing
from scheduler.core.requests.request_reading import (
    PREFERENCES,
    checkpoint_uri_of,
    digest_of,
    has_preferences,
    is_spot,
    max_runtime_of,
    refuse_over_budget,
    refuse_unsupported,
)
from scheduler.core.requests.service_rules.table import refuse_contradictions
from scheduler.core.requests.tuning.reading import demand_of, limits_of, runtime_of
from scheduler.core.requests.tuning.refusals import obstacles, refuse_unsupported_tuning
from scheduler.core.warm_pools.matching import pool_key
from scheduler.errors.refusals import BadRequest, bad_field


def build_job(
    request: Mapping[str, Any],
    options: SubmissionOptions,
    *,
    owner: str,
    budget: Budget,
    now: datetime,
    client_token: str | None = None,
    time_zone: tzinfo = UTC,
    completed: Mapping[str, Any] | None = None,
) -> Job:
    """Returns the job for a valid request of any kind. Raises BadRequest if the queue cannot run it.

    `time_zone` applies to times without an offset from UTC. `completed` is the request with the defaults of rules. The
    digest does not cover them: after a change to the rules, a repeated submission still counts as a repeat.
    """
    digest = _digest_of_submission(request, options)
    request = request if completed is None else completed
    refuse_itself(options.of_job.dependencies, name_in(request))
    times = option_values.times_in_utc(options.of_job.times, time_zone)
    return Job(
        name=name_in(request),
        owner=owner,
        digest=digest,
        submitted_at=now,
        spec=_spec(request, options.of_job, budget),
        options=replace(options.of_job, times=times),
        status=first_status(times, now, is_held=options.hold),
        client_token=client_token,
    )


def first_status(times: JobTimes, now: datetime, *, is_held: bool) -> JobStatus:
    """Returns the status of a job that is added to the queue now."""
    deferred = times.not_before is not None and times.not_before > now
    if is_held:
        held = Reason(ReasonCode.HELD, "held since its submission, until it is released")
        return JobStatus(JobState.HELD, held, now, deferred=deferred)
    reason = waits_for_time(times.not_before) if times.not_before and deferred else Reason(ReasonCode.SUBMITTED)
    return JobStatus(JobState.PENDING, reason, now, deferred=deferred)


def with_choices(
    job: Job, requests: Sequence[Mapping[str, Any]], alternatives: Sequence[Alternative], budget: Budget
) -> Job:
    """Returns the job with a choice for each request, or unchanged if it has no alternatives. Raises BadRequest."""
    if not alternatives:
        return job
    if job.spec.kind is WorkKind.TRAINING and any(map(has_preferences, requests)):  # both would choose the instances
        remedy = "Remove one of them: the queue chooses among alternatives, SageMaker among preferences."
        raise bad_field(PREFERENCES, "cannot be combined with options.alternatives", remedy)
    choices = [job.spec]
    for number, alternative in enumerate(alternatives, start=1):
        with point_refusals_at_choice(number, job.options):
            spec = _spec(requests[number], job.options, budget)
            wait, own = alternative.wait_for_better, alternative.sets_limit
            choices.append(replace(spec, choice=number, wait_for_better=wait, has_own_limit=own))
    return replace(job, choices=tuple(choices))


def _spec(request: Mapping[str, Any], options: JobOptions, budget: Budget) -> JobSpec:
    """Returns the spec for a request. Raises BadRequest if the queue cannot run it or it exceeds the whole budget."""
    match kind_of(request):
        case WorkKind.TRAINING:
            return _training_spec(request, budget)
        case WorkKind.TUNING:
            return _tuning_spec(request, options, budget)
        case WorkKind.PROCESSING:
            return _processing_spec(request, budget)


def _training_spec(request: Mapping[str, Any], budget: Budget) -> JobSpec:
    refuse_unsupported(request)
    refuse_contradictions(request)
    demand, prefers = instances_of(request["ResourceConfig"]), has_preferences(request)
    refuse_over_budget(demand, budget, prefers=prefers)
    return JobSpec(
        demand=demand,
        max_runtime=max_runtime_of(request),
        spot=is_spot(request),
        keep_alive=_keep_alive(request),
        pool_key=pool_key(request),
        has_preferences=prefers,
        checkpoint_uri=checkpoint_uri_of(request),
        subnets=tuple(request.get("VpcConfig", {}).get("Subnets", ())),
        tags=_tags(request),
    )


def _tuning_spec(request: Mapping[str, Any], options: JobOptions, budget: Budget) -> JobSpec:
    """Returns the spec for a tuning job. SageMaker handles spot instances and checkpoints of its trials."""
    refuse_unsupported_tuning(request, options)
    continues = not options.restart_tuning and next(obstacles(request), None) is None
    limits = limits_of(request, continues=continues)
    demand = demand_of(request, limits.parallel)
    refuse_over_budget(demand, budget)
    return JobSpec(
        demand=demand,
        max_runtime=runtime_of(request, limits),
        tags=_tags(request),
        kind=WorkKind.TUNING,
        tuning=limits,
    )


def _processing_spec(request: Mapping[str, Any], budget: Budget) -> JobSpec:
    """Returns the spec for a processing job, which has no checkpoints, spot instances or warm pools."""
    refuse_unsupported_processing(request)
    demand = processing.demand_of(request)
    refuse_over_budget(demand, budget)
    return JobSpec(
        demand=demand, max_runtime=processing.runtime_of(request), tags=_tags(request), kind=WorkKind.PROCESSING
    )


def _tags(request: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((tag["Key"], tag["Value"]) for tag in request.get("Tags", ()) if not is_option(tag["Key"]))


def _keep_alive(request: Mapping[str, Any]) -> int:
    """Returns the keep-alive period in seconds; 0 for preferences.

    AWS does not document whether SageMaker keeps the instances that it selected, or which jobs could reuse them.
    """
    seconds: int = request["ResourceConfig"].get("KeepAlivePeriodInSeconds", 0)
    return 0 if has_preferences(request) else seconds


def _digest_of_submission(request: Mapping[str, Any], options: SubmissionOptions) -> str:
    """Returns a digest of the request and the options without defaults, so that new options do not change digests.

    It also leaves out `source_etag`: each time an SDK archives the same files, the archive has a different ETag.
    """
    options = _without_etag(options)
    if options == _tagged_options(request):
        return digest_of(request)
    return digest_of({"request": request, "options": options.differing_from_defaults()})


def _tagged_options(request: Mapping[str, Any]) -> SubmissionOptions | None:
    """Returns the options in the tags; None if they are incomplete without the options next to the request."""
    try:
        return _without_etag(read_options(request, {}))
    except BadRequest:
        return None


def _without_etag(options: SubmissionOptions) -> SubmissionOptions:
    return replace(options, of_job=replace(options.of_job, source_etag=None))
