"""Finds when and where a job fits: free instances, reservations, the calendar ahead and shortages at SageMaker.

Open `capacity_ledger.py` first: it counts what a plan can still give away, and reserves starts.
"""
