"""Defines warm pools: the operators' rules, which jobs fit a pool, and which attempt holds a pool's budget.

Open `warm_pool.py` first: it defines a pool, and how a pool is lent. `pool_rules.py` has the operators' rules.
"""
