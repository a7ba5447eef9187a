"""Checks the hyperparameter ranges of a tuning job."""

from typing import Any

from local_sagemaker.errors import AwsError, invalid
from local_sagemaker.state_machine.tuning.job import MOST_TRIALS, searched
from local_sagemaker.state_machine.tuning.search_space import combinations

_MOST_SEARCHED = 30
_NUMERIC = (("IntegerParameterRanges", int), ("ContinuousParameterRanges", float))


def check_ranges(request: dict[str, Any], definition: dict[str, Any]) -> None:
    ranges = definition["HyperParameterRanges"]
    for member, number in _NUMERIC:
        for bounds in ranges.get(member, []):
            _check_bounds(bounds, number)
    names = [dimension.name for dimension in searched(definition)]
    if not names:
        raise invalid("At least one hyperparameter range must be provided.")
    if len(names) > _MOST_SEARCHED:
        raise invalid(f"At most {_MOST_SEARCHED} hyperparameters can be searched.")
    fixed = definition.get("StaticHyperParameters", {}).keys()
    for name in names:
        if names.count(name) > 1 or name in fixed:
            raise invalid(f"Hyperparameter {name} must be given once, either as static or with one range.")
    _check_combinations(request["HyperParameterTuningJobConfig"], definition)


def _check_bounds(bounds: dict[str, str], number: type[int] | type[float]) -> None:
    try:
        low, high = number(bounds["MinValue"]), number(bounds["MaxValue"])
    except ValueError as error:
        raise _bad(bounds, f"MinValue and MaxValue must be of type {number.__name__}") from error
    if not low <= high:
        raise _bad(bounds, "MinValue must be less than or equal to MaxValue")
    if bounds.get("ScalingType") == "Logarithmic" and low <= 0:
        raise _bad(bounds, "Logarithmic scaling needs values greater than 0")
    if bounds.get("ScalingType") == "ReverseLogarithmic" and not 0 <= low <= high < 1:
        raise _bad(bounds, "ReverseLogarithmic scaling needs values from 0 to less than 1")


def _check_combinations(config: dict[str, Any], definition: dict[str, Any]) -> None:
    available = combinations(searched(definition))
    wanted = config["ResourceLimits"].get("MaxNumberOfTrainingJobs")
    if config["Strategy"] == "Grid":
        _check_grid(definition["HyperParameterRanges"], available, wanted)
    elif wanted is not None and available < wanted:
        raise invalid(
            "You don't have enough combinations of hyperparameter ranges. The total number of hyperparameter "
            f"combinations for the provided ranges [{float(available)}] must be equal or greater than the value of "
            f"MaxNumberOfJobs, [{wanted}]. Provide additional ranges."
        )


def _check_grid(ranges: dict[str, Any], available: float, wanted: int | None) -> None:
    if ranges.get("IntegerParameterRanges") or ranges.get("ContinuousParameterRanges"):
        raise invalid("Only categorical parameters are supported when Strategy is Grid.")
    if wanted is not None and wanted != available:
        raise invalid(
            f"MaxNumberOfTrainingJobs must equal the number of categorical combinations, {available}, when Strategy "
            "is Grid."
        )
    if available > MOST_TRIALS:
        raise invalid(f"A grid search can have at most {MOST_TRIALS} combinations, not {available}.")


def _bad(bounds: dict[str, str], reason: str) -> AwsError:
    return invalid(
        f"Invalid range of hyperparameter {bounds['Name']}: {reason}, got [{bounds['MinValue']}, {bounds['MaxValue']}]."
    )
