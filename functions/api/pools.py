"""The calls on warm pools: those that are there, and the operators' rules about them."""

from api.call import Call
from api.pool_answers import PoolRules, Pools
from api.pool_views import pool_rules_view, pools_view
from api.replaced_version import replaced_version
from scheduler import answer_wiring, operator_wiring, wiring
from scheduler.policy.callers.permissions import Verb


def show_pools(_call: Call) -> Pools:
    pools = answer_wiring.pools()
    return pools_view(pools.now(), pools.refused())


def show_pool_rules(_call: Call) -> PoolRules:
    return pool_rules_view(operator_wiring.pool_book().show())


def apply_pool_rules(call: Call) -> PoolRules:
    wiring.access().require(Verb.OPERATE, call.caller)
    return pool_rules_view(operator_wiring.pool_book().apply(call.body, call.caller, replaced_version(call)))
