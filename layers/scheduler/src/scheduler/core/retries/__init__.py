"""Decides how a job continues after a failed attempt: it is retried, ends, or moves from spot to on-demand instances.

Open `retry_decision.py` first. `failure_classes.py` classifies the cause, and `retry_policy.py` defines the settings.
`memory_shortage.py` finds other instance types for jobs that ran out of memory.
"""
