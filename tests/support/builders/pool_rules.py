"""Builds rules for warm pools."""

from typing import Any

from scheduler.core.warm_pools.pool_rules import PoolRules
from support.builders.configurations import a_configuration


def pool_rules(instance_type: str, use: str, **caps: Any) -> list[dict[str, Any]]:
    """Returns the section `pools` with one rule, as operators write it."""
    return [{"instance_type": instance_type, "use": use, **caps}]


def the_pool_rules(instance_type: str, use: str, **caps: Any) -> PoolRules:
    rules = a_configuration(pools=pool_rules(instance_type, use, **caps)).pools
    return PoolRules({rule.instance_type: rule for rule in rules})
