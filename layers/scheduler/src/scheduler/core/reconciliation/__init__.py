"""How a cycle stays in step with SageMaker: which attempts it polls, how fast it calls, what SageMaker's list adds.

Open `polling.py` first, for events that are lost. `reconciliation_state.py` has what the list of training jobs shows
beyond the queue's records, `unmanaged_job.py` the jobs outside the queue, `rate_limit.py` the pace of calls.
`lease.py` allows one cycle at a time, and passes the pace on to the next.
"""
