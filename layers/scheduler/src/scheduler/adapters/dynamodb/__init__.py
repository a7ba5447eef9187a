"""Adapters that keep the queue's records in one DynamoDB table.

Open `table.py` first for reads and transactions, then `jobs` for jobs and attempts, `lease` for the lease and the
ledger, and `records` for each record's form. Each other module stores one kind of record: `changes`, for example.
"""
