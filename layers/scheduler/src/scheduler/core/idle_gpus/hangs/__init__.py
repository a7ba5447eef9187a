"""Finds attempts that hang: their programs write no log line, and use neither GPUs nor CPUs.

Open `hang_rule.py` first: it has the settings. `activity.py` has the signals, and `hang_check.py` decides based on
them.
"""
