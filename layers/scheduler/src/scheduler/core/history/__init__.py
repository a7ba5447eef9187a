"""Records what happened to jobs: changes to their records, notices to owners, metrics, and past run times.

Open `change.py` first: it defines a change as the history keeps it, and builds it from a job's record. `metrics.py`
counts changes, `notices.py` words the notices to owners, `mail.py` selects the mail addresses that receive them, and
`runtime_stats.py` averages run times.
"""
