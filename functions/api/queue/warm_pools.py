"""The calls on warm pools: those that are there, and the operators' rules about them."""

from api.documents.replaced_version import replaced_version
from api.http.call import Call
from api.queue.pool_answers import PoolRules, Pools
from api.queue.pool_views import pool_rules_view, pools_view
from scheduler.core.callers.permissions import Verb
from scheduler.wiring import config, queue, shared


def show_pools(_call: Call) -> Pools:
    pools = queue.warm_pool_reader()
    return pools_view(pools.now(), pools.refused())


def show_pool_rules(_call: Call) -> PoolRules:
    return pool_rules_view(config.pool_rules_editor().show())


def apply_pool_rules(call: Call) -> PoolRules:
    shared.authorization().require(Verb.OPERATE, call.caller)
    return pool_rules_view(config.pool_rules_editor().apply(call.body, call.caller, replaced_version(call)))
