"""Calls about jobs: submit, list, show, act on, explain and forecast them. Open `job_calls.py` first."""
