"""Contains the scheduling loop: under a lease, one cycle polls SageMaker, plans the queue and executes the plan.

Open `scheduler.py` first: it shows the order of the steps and builds a cycle's parts. `attempts/` creates, polls, stops
and settles training jobs; `plan_executor` launches, releases, preempts, evicts and parks. `sweep_report` and
`idle_gpus` run outside the cycle.
"""
