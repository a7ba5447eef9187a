"""Serves the operations of tuning jobs. Open `operations` first: it has one function for each operation.

`request_rules`, `range_rules` and `warm_start` refuse invalid requests, and `listing` selects tuning jobs and trials.
"""
