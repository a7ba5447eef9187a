"""The interfaces that cycle, queue and configuration need from the outside world; `adapters` implement them.

Open `job_store.py` first: it is the contract of the queue's records.
"""
