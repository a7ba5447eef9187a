"""The interfaces that cycle, queue and configuration need from the outside world; `adapters` implement them.

Open `job_store.py` first: it is the contract of the queue's records. The other modules name one service each, such as
`training.py` for SageMaker and `lease_store.py` for the lease of the cycle.
"""
