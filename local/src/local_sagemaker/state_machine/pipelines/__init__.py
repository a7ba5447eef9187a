"""Runs pipelines of callback steps. Each step waits until a call with its token reports its end.

Open `executions.py` first.
"""
