"""Replaces the budget on a schedule: windows that open weekly or once, and training plans.

Open `calendar.py` first: `periods` gives the current budget and each coming change. `period.py` defines a budget for a
time and how jobs above it end, `span.py` the times of windows, `document.py` parses the operators' document.
"""
