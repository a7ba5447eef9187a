"""The pure core: values, rules and section schemas, with one folder per capability. It does no I/O.

Imports run in one direction. `jobs` is the base, followed by `sections`, which parses sections of the configuration.
`retries`, `capacity` and `idle_gpus` build on these two. `history`, `callers`, `calendar` and `reconciliation` come
next, then `spending`, `warm_pools` and `requests`. `guardrails`, `planner` and `configuration` use the other folders.
Open `jobs/job.py` first.
"""
