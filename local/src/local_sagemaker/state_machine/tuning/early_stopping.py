"""Decides which running trials stop early. An epoch is one value of the objective metric in the log."""

from collections.abc import Iterator
from statistics import mean, median

from local_sagemaker.state_machine.job import Status
from local_sagemaker.state_machine.tuning.job import TuningJob, static_hyperparameters
from local_sagemaker.state_machine.tuning.results import Result

#: Static hyperparameters from which the service reads MaxResource, as the API's model lists them.
EPOCHS = ("epochs", "numepochs", "n-epochs", "n_epochs", "num_epochs")
# Hyperband keeps one trial of three at each rung, and judges a rung from its third trial on.
_KEEPS_ONE_OF = 3


def hopeless(job: TuningJob, found: list[Result]) -> Iterator[Result]:
    """Yields the running trials that should stop."""
    running = [result for result in found if result.job.status is Status.IN_PROGRESS and result.job.objective_values]
    if job.strategy == "Hyperband":
        yield from (result for result in running if _ends_at_rung(job, result, found))
    elif job.config.get("TrainingJobEarlyStoppingType", "Off") == "Auto":
        yield from (result for result in running if _is_below_median(result, found))


def max_resource(job_config: dict[str, object], static: dict[str, str]) -> int | None:
    """Returns the maximum epochs of a trial under Hyperband, from its configuration or the static hyperparameters."""
    given = _hyperband(job_config).get("MaxResource")
    if given is not None:
        return given
    return next((int(text) for name in EPOCHS if (text := static.get(name, "").strip('"')).isdigit()), None)


def _is_below_median(result: Result, found: list[Result]) -> bool:
    """Compares the last value with the median of the running averages of completed trials up to the same epoch."""
    values = result.job.objective_values
    averages = [
        mean(other.job.objective_values[: len(values)])
        for other in found
        if other.job.status is Status.COMPLETED and other.job.objective_values
    ]
    return bool(averages) and result.objective.is_better(median(averages), values[-1])


def _ends_at_rung(job: TuningJob, result: Result, found: list[Result]) -> bool:
    """Stops a trial at MaxResource, or at a rung that better trials have passed (asynchronous successive halving)."""
    epochs = len(result.job.objective_values)
    most = max_resource(job.config, static_hyperparameters(result.definition))
    if most is not None and epochs >= most:
        return True
    return epochs in _rungs(job, most) and _is_outside_top(result, found, epochs)


def _rungs(job: TuningJob, most: int | None) -> Iterator[int]:
    rung = _hyperband(job.config).get("MinResource", 1)
    while most is not None and rung < most:
        yield rung
        rung *= _KEEPS_ONE_OF


def _is_outside_top(result: Result, found: list[Result], epoch: int) -> bool:
    reached = [other for other in found if len(other.job.objective_values) >= epoch]
    value = result.job.objective_values[epoch - 1]
    better = sum(result.objective.is_better(other.job.objective_values[epoch - 1], value) for other in reached)
    return len(reached) >= _KEEPS_ONE_OF and better >= len(reached) // _KEEPS_ONE_OF


def _hyperband(config: dict[str, object]) -> dict[str, int]:
    strategy = config.get("StrategyConfig")
    settings = strategy.get("HyperbandStrategyConfig", {}) if isinstance(strategy, dict) else {}
    return dict(settings)
