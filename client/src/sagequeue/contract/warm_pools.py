"""Warm pools."""

from typing import TypedDict

from sagequeue.contract.documents import Document


class PoolRules(Document):
    pass


class Pool(TypedDict):
    """Instances that SageMaker keeps after an attempt; `fits` names waiting jobs that could start on it."""

    name: str
    job: str
    instances: dict[str, int]
    since: str | None
    until: str | None
    lent_to: str | None
    cost: float | None  # in US dollars, so far
    fits: list[str]
    match: dict[str, object]


class RefusedPool(TypedDict):
    """A type whose requested warm pools have not appeared since this time."""

    instance_type: str
    since: str


class Pools(TypedDict):
    pools: list[Pool]
    refused: list[RefusedPool]
