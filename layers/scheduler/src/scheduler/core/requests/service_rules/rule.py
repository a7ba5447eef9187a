"""The types of the table: a rule of SageMaker's, and a place in a request that breaks it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scheduler.errors.refusals import shown

Request = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Breach:
    """A member that breaks a rule, by its path such as `Tags[1].Key`, and what is wrong with it."""

    field: str
    problem: str


@dataclass(frozen=True, slots=True)
class ServiceRule:
    """A rule that SageMaker enforces in CreateTrainingJob and that the model of its API does not express."""

    field: str  # the member that is refused, as docs/reference/rest.md writes it: `Tags[].Key`
    message: str
    remedy: str
    source: str
    breaches: Callable[[Request], Iterable[Breach]]


def valued(field: str, value: object) -> Breach:
    """Returns the breach of a member by its value, which is never one of a hyperparameter or of the environment."""
    return Breach(field, f"is {shown(value)}")


def repeated(field: str, value: object) -> Breach:
    return Breach(field, f"repeats {shown(value)}")


def missing(field: str) -> Breach:
    return Breach(field, "is missing")
