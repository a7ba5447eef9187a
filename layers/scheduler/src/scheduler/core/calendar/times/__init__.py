"""Holds jobs back until a time, ends jobs that have not started by a time, and compares forecasts with deadlines.

Open `option_values.py` for the notation, `timers.py` for the changes that are due, and `deadlines.py` for forecasts.
"""
