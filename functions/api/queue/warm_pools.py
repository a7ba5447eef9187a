"""GET /pools: the warm pools that attempts left, and the instance types that leave none."""

from collections.abc import Sequence

from typing_extensions import TypedDict

from api.answers import Time, optional_time_view, time_view
from api.call import Call
from scheduler.core.capacity import capacity_memory
from scheduler.queue import warm_pools
from scheduler.wiring import queue

_TENTH_OF_A_CENT = 4  # digits


class Pool(TypedDict):
    """A warm pool: instances that SageMaker keeps after an attempt.

    `cost` is in US dollars up to now, null without a known price. `fits` names the waiting jobs that would start on it.
    `match` gives, by field, the values that a job needs for it. `lent_to` is the attempt that is about to start on it.
    """

    name: str
    job: str
    instances: dict[str, int]
    since: Time | None
    until: Time | None
    lent_to: str | None
    cost: float | None
    fits: list[str]
    match: dict[str, object]


class RefusedPool(TypedDict):
    """A type whose attempts have left no pool since then, though they asked for one: its quota is 0 or exhausted."""

    instance_type: str
    since: Time


class Pools(TypedDict):
    pools: list[Pool]
    refused: list[RefusedPool]


def list_pools(_call: Call) -> Pools:
    pools = queue.warm_pool_reader()
    return _pools_view(pools.now(), pools.refused())


def _pools_view(pools: Sequence[warm_pools.WarmPoolStatus], refused: Sequence[capacity_memory.RefusedPool]) -> Pools:
    return {
        "pools": [_pool_view(pool) for pool in pools],
        "refused": [{"instance_type": pool.instance_type, "since": time_view(pool.since)} for pool in refused],
    }


def _pool_view(pool: warm_pools.WarmPoolStatus) -> Pool:
    attempt = pool.attempt
    return {
        "name": attempt.name,
        "job": attempt.job_name,
        "instances": pool.demand.as_dict(),
        "since": optional_time_view(attempt.observation.ended_at if attempt.observation else None),
        "until": optional_time_view(attempt.kept_until),
        "lent_to": attempt.lent_to or None,
        "cost": None if pool.cost is None else round(float(pool.cost), _TENTH_OF_A_CENT),
        "fits": list(pool.fits),
        "match": dict(pool.match),
    }
