"""Keeps records in step with SageMaker: the attempts to poll, the rates of calls, and SageMaker's own list.

Open `polling.py` first. `reconciliation_state.py` has what the list shows, `lease.py` allows one cycle at a time.
"""
