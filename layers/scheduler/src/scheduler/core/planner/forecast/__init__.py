"""Explains a plan to users: why a job waits, which job it waits for, and when it may start.

Open `explanation.py` first. `start_estimates.py` simulates the queue to estimate start times; `gauges.py` derives
metrics from a snapshot.
"""
