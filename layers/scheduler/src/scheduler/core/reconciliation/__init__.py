"""How a cycle stays in step with SageMaker: which attempts it polls, how fast it calls, what SageMaker's list adds.

Open `polling` first, for events that are lost. `reconciliation_state` has what the list of training jobs shows beyond
the queue's records, `unmanaged_job` the jobs outside the queue, `rate_limit` the pace of calls. `lease` allows one
cycle at a time, and passes the pace on to the next.
"""
