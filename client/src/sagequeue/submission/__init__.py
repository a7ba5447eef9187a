"""Submits jobs explicitly: no session is changed, and each submission returns a handle.

Open `job_queue.py` first: JobQueue takes estimators, trainers and plain requests. `queued_job.py` is the handle.
"""
