"""The cycle's lease and the ledger of held instances, which share one item in the table.

Open `lease.py` for how a cycle acquires and releases the lease, and `ledger.py` for the writes that reserve and release
instances within the budget.
"""
