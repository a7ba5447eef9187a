"""The services behind users' requests: submit, act on jobs, list, explain, forecast, and change budget and intake.

Open `submission.py` first for the way of a new job, `job_actions.py` for cancel, hold and the like, `job_queries.py`
for reads. Nothing here calls SageMaker: the cycle carries out what these services record.
"""
