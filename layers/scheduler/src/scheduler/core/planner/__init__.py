"""Decides which queued jobs start, which running jobs are stopped for them, and why the other jobs wait.

Open `planning.py` first: `plan(snapshot, now)` makes the whole decision, from the Snapshot of `snapshot.py` to the Plan
of `plan.py`. `ordering/` sorts the queue and selects the candidates. `placement/` finds when and where a job fits, and
reserves its start. `preemption.py` decides which jobs may be stopped, and chooses victims. `elastic/` narrows elastic
jobs first. `plan_draft.py` collects the decisions, and `plan_effects.py` applies them to jobs and attempts.
`explanation.py` explains a plan, `priority_forecast.py` forecasts the effect of new priorities, and
`start_estimates.py` simulates the queue. `policy.py`, `schema.py` and `shares.py` define the operators' settings, and
`learned.py` defines the data on run times and team usage. `free_capacity.py` counts instances, and
`shared_capacity.py` also counts them by team.
"""
