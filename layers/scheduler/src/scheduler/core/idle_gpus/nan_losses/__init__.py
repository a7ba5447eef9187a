"""Finds attempts whose loss is NaN: their programs train on, and can no longer learn.

Open `nan_rule.py` first: it has the settings. `nan_check.py` decides by the lines of the log.
"""
