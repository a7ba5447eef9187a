"""The queue's records in memory, with the same conditions as the DynamoDB adapters: for tests and simulations.

Open `store.py` first: it combines the parts into one JobStore, LeaseStore and ControlStore.
"""
