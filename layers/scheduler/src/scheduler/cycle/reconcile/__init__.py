"""Compares the records with SageMaker's list: finds lost attempts and training jobs started outside the queue.

Open `reconciliation.py` first. `adoption` decides about one unknown training job, `unmanaged_jobs` checks the jobs of
other submitters against the rules, and `list_polling` polls many attempts with one call.
"""
