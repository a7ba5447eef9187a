"""Requests for tuning jobs: their trials, their limits, and their continuation by warm start.

Open `reading.py` first.
"""
