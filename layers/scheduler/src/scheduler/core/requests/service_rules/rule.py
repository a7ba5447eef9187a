"""Defines the types of the table: a rule that SageMaker enforces, and a breach of it in a request."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scheduler.errors.refusals import shown

Request = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Breach:
    """Names a member that breaks a rule, by its path such as `Tags[1].Key`, and describes the problem."""

    field: str
    problem: str


@dataclass(frozen=True, slots=True)
class ServiceRule:
    """Describes a rule that SageMaker enforces in CreateTrainingJob, but that its API model does not express."""

    field: str  # the refused member, as written in docs/reference/rest.md: `Tags[].Key`
    message: str
    remedy: str
    source: str
    breaches: Callable[[Request], Iterable[Breach]]


def valued(field: str, value: object) -> Breach:
    """Returns a breach that shows the member's value. No rule uses it for hyperparameters or variables."""
    return Breach(field, f"is {shown(value)}")


def repeated(field: str, value: object) -> Breach:
    return Breach(field, f"repeats {shown(value)}")


def missing(field: str) -> Breach:
    return Breach(field, "is missing")
