"""Records what happened to jobs: changes of their records, notices to owners, metrics, and past run times.

Open `change.py` first: it defines a change as the history keeps it. `change_records.py` builds changes from records of
jobs, `metrics.py` counts them, `notices.py` phrases what owners are notified of, `runtime_stats.py` averages run times.
"""
