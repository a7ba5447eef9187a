"""The interfaces through which the cycle, the queue and the configuration reach the outside world.

The classes in `adapters` implement them. Open `job_store.py` first: it is the contract for the queue's records.
"""
