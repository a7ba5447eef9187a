"""The JSON of warm pools (docs/api.md)."""

from collections.abc import Sequence

from api.http.views import document_view, optional_time_view, time_view
from api.jobs import explanation_answers
from api.queue.pool_answers import Pool, PoolRules, Pools
from scheduler.core.capacity.capacity_memory import RefusedPool
from scheduler.core.documents.document import Document
from scheduler.queue import warm_pools

#: What holds where nobody has set rules.
NO_POOL_RULES_TEXT = '{"format": 1, "pools": []}'
_TENTH_OF_A_CENT = 4  # digits


def pool_rules_view(document: Document | None) -> PoolRules:
    return {**document_view(document, NO_POOL_RULES_TEXT)}


def pools_view(seen: Sequence[warm_pools.WarmPoolStatus], refused: Sequence[RefusedPool]) -> Pools:
    return {
        "pools": [_pool_view(pool) for pool in seen],
        "refused": [{"instance_type": known.instance_type, "since": time_view(known.since)} for known in refused],
    }


def misfit_view(misfit: warm_pools.Misfit) -> explanation_answers.Misfit:
    return {"pool": misfit.pool.name, "fields": list(misfit.fields)}


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
