"""Warm pools."""

from typing import TypedDict

from sagequeue.contract.documents import Document


class PoolRules(Document):
    pass


class Pool(TypedDict):
    """Instances that SageMaker keeps after an attempt; `fits` names jobs that wait and would start on it."""

    name: str
    job: str
    instances: dict[str, int]
    since: str | None
    until: str | None
    lent_to: str | None
    cost: float | None  # in US dollars up to now
    fits: list[str]
    match: dict[str, object]


class RefusedPool(TypedDict):
    """A type of which no pool has appeared since then, though one was asked for."""

    instance_type: str
    since: str


class Pools(TypedDict):
    pools: list[Pool]
    refused: list[RefusedPool]
