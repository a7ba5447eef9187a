"""Finds when and where a job fits, considering free instances, reservations, the calendar and shortages at SageMaker.

Open `capacity_ledger.py` first: it counts the instances that a plan can still assign, reserves starts, and decides
which jobs may pass a reservation (`reservations.py`). `share_check.py` checks jobs against the shares of their teams.
`calendar_horizon.py` checks upcoming budgets, `shortage_avoidance.py` selects subnets and avoids shortages,
`alternative_selection.py` selects a job's choice, and `checkpoint_prefixes.py` finds prefixes in use.
"""
