"""Changes the budget on a schedule, with windows that open weekly or once and with training plans.

Open `calendar.py` first: its function `periods` yields the current budget and each upcoming change.
"""
