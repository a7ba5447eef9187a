"""Calls on the operators' documents: one module for each kind, with its answers, views and calls.

Open `versions.py` first: it has what all kinds share. To change what GET /spending answers, open `spending.py`.
"""
