"""The pure core: values, rules and the schemas of operators' documents, with one folder per capability. It does no I/O.

Imports run one way. `jobs` is the base, with `documents`, which parses operators' documents, and `reconciliation`. On
these build `calendar`, `callers` and `retries`, then `capacity`, `idle_gpus`, `history`, `spending`, `warm_pools` and
`requests` in this order. `guardrails` and `planner` use the others. Open `jobs/job.py` first.
"""
