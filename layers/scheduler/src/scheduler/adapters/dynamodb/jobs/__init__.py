"""Jobs, attempts and warm pools in the table, with one module for each port.

Open `store.py` first: it reads and writes jobs by name. `reservations.py` and `warm_pools.py` contain a cycle's writes.
`live_attempts.py` reads live attempts for all functions, and records observations of them. `index.py` reads the waiting
jobs, and `dependencies.py` reads the jobs that wait for other jobs. `lists.py` and `list_pages.py` build the lists for
display.
"""
