"""The scheduling loop: one cycle polls SageMaker, plans the queue and executes the plan, under a lease.

Open `scheduler.py` first: it shows the order of the steps. `collaborators` builds what does them: `reconcile`, `sweep`,
`attempts` creates, polls, stops and settles training jobs, and `plan_executor` launches and preempts. `sweep_report`
and `idle_gpus` run beside the cycle.
"""
