"""Decides what follows a failed attempt: a retry later, the end of the job, or on-demand instances in place of spot.

Open `retry_decision.py` first. `failure_classes.py` finds the cause, `retry_policy.py` has the settings.
"""
