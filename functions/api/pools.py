"""The calls on warm pools: those that are there, and the operators' rules about them."""

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from api.asking import caller
from api.document_reading import replaced_version, text_body
from api.pool_answers import PoolRules, Pools
from api.pool_views import pool_rules_view, pools_view
from scheduler import wiring
from scheduler.policy.callers.permissions import Verb

router = APIGatewayRouter()


@router.get("/pools")
def show_pools() -> Pools:
    pools = wiring.pools()
    return pools_view(pools.now(), pools.refused())


@router.get("/pools/rules")
def show_pool_rules() -> PoolRules:
    return pool_rules_view(wiring.pool_book().show())


@router.put("/pools/rules")
def apply_pool_rules() -> PoolRules:
    wiring.access().require(Verb.OPERATE, caller(router))
    return pool_rules_view(wiring.pool_book().apply(text_body(router), caller(router), replaced_version(router)))
