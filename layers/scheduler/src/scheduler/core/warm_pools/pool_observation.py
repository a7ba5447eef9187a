"""Defines what SageMaker reports about a warm pool."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PoolObservation:
    is_held: bool  # the account still holds its instances
    reused_by: str = ""  # the training job that took it over
    retained_seconds: int = 0  # billed while unused, for each of its instances


GONE = PoolObservation(is_held=False)
