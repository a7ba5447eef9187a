"""Calls on the queue as a whole: its summary, budget and intake, the warm pools, and findings on unmanaged jobs.

Open `summary.py` first: GET /queue shows most of the rest.
"""
