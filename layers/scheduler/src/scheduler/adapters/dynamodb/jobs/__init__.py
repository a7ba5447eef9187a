"""Jobs, attempts and warm pools in the table: one module for each port.

Open `store.py` first: jobs by name. `reservations.py` and `warm_pools.py` have the writes of a cycle,
`live_attempts.py` what everybody reads of attempts, `index.py` the waiting jobs, and `lists.py` with `list_pages.py`
the lists for display.
"""
