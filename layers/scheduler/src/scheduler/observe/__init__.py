"""Builds the Snapshot that the planner decides on, from the stores and the operators' documents.

Open `snapshot_reader.py` first. Other modules read one kind of document each: prices, spending limits, and the
calendar in `budget_schedule.py`. `cached_settings.py` reads the same document only once per call.
"""
