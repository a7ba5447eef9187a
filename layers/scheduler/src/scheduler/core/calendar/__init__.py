"""Replaces the budget on a schedule: windows that open weekly or once, and training plans.

Open `calendar.py` first: `periods` gives the current budget and each coming change.
"""
