"""Compares the records with SageMaker's list: finds lost attempts, and training jobs that bypassed the queue.

Open `reconciliation.py` first. `adoption` handles one unknown training job, and `unmanaged_jobs` checks jobs from other
submitters against the rules.
"""
