"""Finds when and where a job fits: free instances, reservations, the calendar ahead and shortages at SageMaker.

Open `capacity_ledger.py` first: it counts what a plan can still give away, reserves starts, and says which jobs may
pass. `calendar_horizon.py` checks coming budgets, `shortage_avoidance.py` selects subnets and avoids shortages,
`alternative_selection.py` selects the choice of a job, and `checkpoint_prefixes.py` finds prefixes in use.
"""
