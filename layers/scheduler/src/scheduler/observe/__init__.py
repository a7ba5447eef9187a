"""Builds the Snapshot on which the planner bases its decisions, from the stores and the configuration.

Open `snapshot_reader.py` first. `configuration.py` reads the current configuration, and `spending.py` reads the use of
spending limits.
"""
