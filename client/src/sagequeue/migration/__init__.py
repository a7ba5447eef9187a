"""Converts the settings of other schedulers to the queue's configuration, for `sagequeue config import`.

Open `batch.py` first: it converts quota shares and fair-share policies of AWS Batch.
"""
