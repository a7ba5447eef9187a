"""Refuses requests for tuning jobs that the queue cannot run, or could not continue after a preemption."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from scheduler.core.jobs.job import JobOptions
from scheduler.core.jobs.work.definitions import definitions_in
from scheduler.core.jobs.work.tuning import MOST_PARENTS
from scheduler.core.requests.request_reading import refuse_unsupported
from scheduler.core.requests.service_rules.table import refuse_contradictions
from scheduler.core.requests.tuning.definitions import child_requests
from scheduler.core.requests.tuning.reading import limits_of
from scheduler.errors.refusals import BadRequest, Unsupported, bad_field

#: SageMaker's limit on the training jobs of a tuning job together with those of the parents in its warm start.
MOST_TRIALS = 500
#: Strategies that support warm start.
_WITH_WARM_START = frozenset({"Bayesian", "Random"})
_CONFIG = "HyperParameterTuningJobConfig"
_CHOICE = "Set never_preempt. Or set restart_tuning: a preempted tuning job then starts again without results."


class Obstacle(NamedTuple):
    """The member of a request that prevents a warm start from continuing the tuning job."""

    field: str
    problem: str
    remedy: str = _CHOICE


def refuse_unsupported_tuning(request: Mapping[str, Any], options: JobOptions) -> None:
    """Raises BadRequest for a tuning job that SageMaker may accept, but that the queue cannot run."""
    _refuse_definitions(request)
    for child in child_requests(request):
        with _pointing_at(child.path):
            refuse_unsupported(child.request)
            refuse_contradictions(child.request)
            _refuse_pool(child.request)
    if options.never_preempt or options.restart_tuning:
        return
    for obstacle in obstacles(request):
        raise Unsupported(
            f"{obstacle.field} {obstacle.problem}, so no warm start can continue the tuning job after a preemption",
            field=obstacle.field,
            remedy=obstacle.remedy,
        )


def obstacles(request: Mapping[str, Any]) -> Iterator[Obstacle]:
    """Yields the obstacles to a warm start that continues the tuning job with all its trials."""
    config, limits = request[_CONFIG], limits_of(request, continues=True)
    if config["Strategy"] not in _WITH_WARM_START:
        yield Obstacle(f"{_CONFIG}.Strategy", f"is {config['Strategy']}")
    if "TrainingJobDefinitions" in request:
        yield Obstacle("TrainingJobDefinitions", "has an objective for each definition")
    if request.get("WarmStartConfig", {}).get("WarmStartType") == "TransferLearning":
        yield Obstacle("WarmStartConfig.WarmStartType", "is TransferLearning")
    field = f"{_CONFIG}.ResourceLimits.MaxNumberOfTrainingJobs"
    if limits.most_trials is None:
        yield Obstacle(field, "is missing", f"Set it to at most {MOST_TRIALS}. Or: {_CHOICE}")
        return
    # Each preemption may lose as many trials as run at a time. SageMaker counts them, too.
    lost = (MOST_PARENTS - limits.parents) * limits.parallel
    if limits.most_trials + lost > MOST_TRIALS:
        problem = f"is {limits.most_trials}; with up to {lost} trials lost to preemptions, it exceeds {MOST_TRIALS}"
        yield Obstacle(field, problem, f"Use at most {max(0, MOST_TRIALS - lost)}. Or: {_CHOICE}")


def _refuse_definitions(request: Mapping[str, Any]) -> None:
    if len([*definitions_in(request)]) == 0:
        raise bad_field("TrainingJobDefinition", "is missing", "Add TrainingJobDefinition or TrainingJobDefinitions.")
    if "TrainingJobDefinition" in request and "TrainingJobDefinitions" in request:
        problem = "cannot be combined with TrainingJobDefinitions"
        raise bad_field("TrainingJobDefinition", problem, "Keep one of them.")


def _refuse_pool(request: Mapping[str, Any]) -> None:
    """Refuses warm pools: SageMaker's list of trials does not show which trials keep instances after they end."""
    if seconds := request["ResourceConfig"].get("KeepAlivePeriodInSeconds"):
        raise Unsupported(
            f"KeepAlivePeriodInSeconds is {seconds}, but the queue keeps no warm pools for tuning jobs",
            field="ResourceConfig.KeepAlivePeriodInSeconds",
            remedy="Set it to 0, or remove it.",
        )


@contextmanager
def _pointing_at(path: str) -> Iterator[None]:
    try:
        yield
    except BadRequest as refusal:
        refusal.prefix_field(path)
        raise
