"""Finds when and where a job fits: free instances, reservations, the calendar ahead and shortages at SageMaker.

Open `capacity_ledger.py` first: it counts the instances that a plan can still give away. `backfill.py` defines
reservations, `calendar_horizon.py` the coming budgets, `shortage_avoidance.py` the subnets without instances.
"""
