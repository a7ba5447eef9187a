"""Defines warm pools: the operators' rules, which jobs fit a pool, and which attempt holds a pool's budget.

Open `pool_rules.py` first. `matching.py` compares requests as SageMaker does, `offers.py` selects the pools for a plan,
`lending.py` moves a pool's share of the budget, `document.py` parses the operators' document.
"""
