"""Routes boto3's calls about training jobs through the queue, whichever SDK makes them.

Open `installation.py` first: install() registers the handlers of the other modules as botocore events. `handlers.py`
defines what a handler is; `verification.py` proves that no client bypasses the queue.
"""
