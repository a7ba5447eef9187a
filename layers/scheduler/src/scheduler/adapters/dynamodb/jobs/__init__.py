"""Jobs, attempts and warm pools in the table.

Open `store.py` first: it implements `JobStore`. `writes.py` and `warm_pools.py` have its conditional writes, `lists.py`
and `list_pages.py` the lists for display, and `candidates.py` the waiting jobs that a plan reads.
"""
