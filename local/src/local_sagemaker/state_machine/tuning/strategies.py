"""Chooses the hyperparameters of a tuning job's next trial.

Random and Hyperband draw at random, Grid counts through all combinations. The real Bayesian search is not public; its
stand-in is a low-discrepancy sequence, which spreads trials evenly, as a Sobol sequence does. The stand-in learns
nothing from results.
"""

from collections.abc import Collection, Iterator
from itertools import count, islice
from random import Random

from local_sagemaker.state_machine.tuning.job import TuningJob, definitions, searched
from local_sagemaker.state_machine.tuning.search_space import Dimension, combinations, grid_point

# After this many known combinations in a row, the strategy repeats one.
_MOST_DRAWS = 1000


def next_values(job: TuningJob, tried: Collection[dict[str, str]]) -> tuple[int, dict[str, str]]:
    """Returns the next trial's definition and values.

    `tried` are those of all trials, including the trials of a warm start's parents. The trials take turns among the
    definitions. No combination is tried twice while untried combinations remain.
    """
    number = len(job.trials)
    spaces = [searched(definition) for definition in definitions(job.request)]
    if job.strategy == "Grid":
        return _grid(spaces, number)
    turn = number % len(spaces)
    points = _points(job, spaces[turn], turn, len(tried) // len(spaces))
    draws = list(islice(points, 1)) if not spaces[turn] else islice(points, _MOST_DRAWS)
    first: dict[str, str] | None = None
    for values in draws:
        first = values if first is None else first
        if values not in tried:
            return turn, values
    return turn, first or {}


def _grid(spaces: list[list[Dimension]], number: int) -> tuple[int, dict[str, str]]:
    for index, space in enumerate(spaces):
        size = int(combinations(space))
        if number < size:
            return index, grid_point(space, number)
        number -= size
    raise ValueError(f"the grid has no combination {number}")


def _points(job: TuningJob, space: list[Dimension], turn: int, start: int) -> Iterator[dict[str, str]]:
    """Yields combinations from this position in a sequence.

    Without RandomSeed, each tuning job has its own sequence.
    """
    seed = job.config.get("RandomSeed", f"{job.arn} {job.created_at}")
    units = _low_discrepancy if job.strategy == "Bayesian" else _random
    for point in units(f"{seed} {turn}", len(space), start):
        yield {dimension.name: dimension.value(unit) for dimension, unit in zip(space, point, strict=True)}


def _random(seed: str, size: int, start: int) -> Iterator[list[float]]:
    for number in count(start):
        draws = Random(f"{seed} {number}")  # noqa: S311 - must be repeatable, not secret
        yield [draws.random() for _ in range(size)]


def _low_discrepancy(seed: str, size: int, start: int) -> Iterator[list[float]]:
    """Yields multiples of powers of the generalized golden ratio, each modulo 1 (Martin Roberts' R sequence)."""
    ratio = 2.0
    for _ in range(50):  # converges to the root of x ** (size + 1) = x + 1
        ratio = (1 + ratio) ** (1 / (size + 1))
    shifts = [Random(f"{seed} {place}").random() for place in range(size)]  # noqa: S311 - same
    for number in count(start + 1):
        yield [(shift + number / ratio ** (place + 1)) % 1 for place, shift in enumerate(shifts)]
