"""The scheduling loop: one cycle polls SageMaker, plans the queue and executes the plan, under a lease.

Open `scheduler.py` first: it shows the order of the steps. Each other module does one of them: `attempts` creates,
polls, stops and settles training jobs, `plan_executor` launches and preempts, `warm_pools`, `retries`, `spending` and
`idle_gpus` do what their names say, and `reconcile` compares the records with SageMaker's list.
"""
