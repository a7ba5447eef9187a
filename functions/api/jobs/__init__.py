"""Calls on jobs: submit, list, show, act on, explain and forecast them.

Open `submissions.py` for POST /jobs, `listing.py` for GET /jobs, and `actions.py` for cancel, hold and requeue.
The JSON of a job is typed in `job_answers.py` and made in `job_views.py`.
"""
