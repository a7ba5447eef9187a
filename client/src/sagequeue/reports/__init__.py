"""Reports on the history: waiting time, use, cost and waste, computed from recorded changes.

Open `report.py` first: it groups attempts; `figures.py` computes the figures of one group. `parquet.py` and
`prometheus.py` need extra packages, so only the commands that use these modules import them.
"""
