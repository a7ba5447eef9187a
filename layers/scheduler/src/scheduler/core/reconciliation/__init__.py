"""Keeps the records consistent with SageMaker: selects attempts to poll, limits call rates, and scans SageMaker's list.

Open `polling.py` first. `reconciliation_state.py` holds the results of the scans, and `lease.py` allows only one cycle
at a time.
"""
