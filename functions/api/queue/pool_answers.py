"""The JSON of warm pools (docs/api.md), as types."""

from typing_extensions import TypedDict

from api.http import answers


class PoolRules(answers.Document):
    """The rules in force; version 0 means that nobody has set any: no attempt leaves a pool."""


class Pool(TypedDict):
    """Instances that SageMaker keeps after an attempt. `cost` is in US dollars up to now, null without a known price.

    `fits` names jobs that wait and would start on it, `match` says by field what a job must be like, and `lent_to` is
    the attempt that is about to take it over.
    """

    name: str
    job: str
    instances: dict[str, int]
    since: answers.Time | None
    until: answers.Time | None
    lent_to: str | None
    cost: float | None
    fits: list[str]
    match: dict[str, object]


class RefusedPool(TypedDict):
    """A type of which no pool has appeared since then, though one was asked for: its quota is 0 or used up."""

    instance_type: str
    since: answers.Time


class Pools(TypedDict):
    pools: list[Pool]
    refused: list[RefusedPool]
