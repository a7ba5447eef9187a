"""Records what happened to jobs: changes to their records, notices to owners, metrics, and past run times.

Open `change.py` first: it defines a change as the history keeps it, and builds it from a job's record. `metrics.py`
counts changes, and `runtime_stats.py` averages run times. `notices.py` words the notices to owners. `subscriber.py`
selects the notices for a subscriber. `mail.py` selects the email addresses for a notice, and `webhooks/` its HTTPS
endpoints.
"""
