"""Requests for tuning jobs: their children, their limits, and how a warm start continues them.

Open `reading.py` first.
"""
