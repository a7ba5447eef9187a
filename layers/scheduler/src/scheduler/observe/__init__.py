"""Builds the Snapshot that the planner decides on, from the stores and the configuration.

Open `snapshot_reader.py` first. `configuration.py` reads the current configuration, `spending.py` the use of limits.
"""
