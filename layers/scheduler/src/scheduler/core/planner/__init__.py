"""Decides which queued jobs start, which running jobs are stopped for them, and why the other jobs wait.

Open `planning.py` first: `plan(snapshot, now)` is the whole decision, from a `snapshot.py` to a `plan.py`. `ordering/`
sorts the queue and selects the candidates. `placement/` finds when and where a job fits, and reserves its start.
`preemption.py` says which jobs may be stopped, and chooses victims. `plan_draft.py` collects the decisions, and
`plan_effects.py` makes the jobs that result. `explanation.py` explains a plan, `priority_forecast.py` compares it with
plans for other priorities, and `start_estimates.py` simulates the queue. `policy.py` with its
`schema.py` and `shares.py` have the settings of operators, `learned.py` has run times and team usage, and
`free_capacity.py` counts instances.
"""
