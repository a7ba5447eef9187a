"""Decides which queued jobs start, which running jobs are stopped for them, and why the other jobs wait.

Open `planning.py` first: `plan(snapshot, now)` is the whole decision. `ordering/` sorts the queue and selects the
candidates. `placement/` finds when and where a job fits. `preemption.py` chooses the jobs to stop. `explanation.py`
explains a plan, and `start_estimates.py` simulates the queue. `learned.py` holds run times and team usage.
"""
