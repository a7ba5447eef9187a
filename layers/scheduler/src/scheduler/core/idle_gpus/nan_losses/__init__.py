"""Finds attempts whose loss is NaN: their programs keep training but can no longer learn.

Open `nan_rule.py` first: it has the settings. `nan_check.py` decides based on the log lines.
"""
