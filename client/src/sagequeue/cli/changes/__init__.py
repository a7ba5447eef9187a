"""The commands that change jobs after their submission.

Open `job_actions.py` for actions on one or many jobs, `approvals.py` for approvals, and `update.py` for changes of
options and the time limit.
"""
