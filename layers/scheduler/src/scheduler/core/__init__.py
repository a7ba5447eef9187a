"""The pure core: values, rules and the schemas of sections, with one folder per capability. It does no I/O.

Imports run one way. `jobs` is the base, then `sections`, which parses sections of the configuration. On these build
`retries`, `capacity` and `idle_gpus`, then `history`, `callers`, `calendar` and `reconciliation`, then `spending`,
`warm_pools` and `requests`. `guardrails`, `planner` and `configuration` use the others. Open `jobs/job.py` first.
"""
