"""Reports on the history: waiting time, use, cost and waste, computed from recorded changes.

Open `report.py` first: it groups attempts; `figures.py` computes the figures of one group. Parquet and Prometheus
need extra packages and are imported only by the commands that export.
"""
