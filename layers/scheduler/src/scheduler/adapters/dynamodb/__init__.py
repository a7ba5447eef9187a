"""Adapters that keep the queue's records in one DynamoDB table.

Open `table.py` first for reads and transactions, then `jobs` for jobs and attempts, `lease` for lease and ledger, and
`records` for the form of each record. Each of the other modules stores one kind of record, such as `changes`.
"""
