"""Remembers how long ended jobs ran and how much each team used, for `ordering` and `forecast`.

Open `learned.py` first: it holds what is remembered. `runtime_learning.py` derives the update from an ended attempt.
"""
