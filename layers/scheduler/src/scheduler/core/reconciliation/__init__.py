"""Keeps records in step with SageMaker: the attempts to poll, the rates of calls, and SageMaker's own list.

Open `polling.py` first, for events that are lost. `reconciliation_state.py` has what the list of training jobs shows
beyond the queue's records, `unmanaged_job.py` the jobs outside the queue, `rate_limit.py` the pace of calls.
`lease.py` allows one cycle at a time, and passes the pace on to the next.
"""
