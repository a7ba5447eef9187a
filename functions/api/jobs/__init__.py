"""Calls on jobs: submit, list, show, act on, explain and forecast them.

Open `job_calls.py` first. The JSON of a job is typed in `job_answers.py` and made in `job_views.py`.
"""
