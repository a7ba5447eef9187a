"""Routes boto3's calls about training, tuning and processing jobs through the queue, whichever SDK makes them.

Open `installation.py` first: install() registers the handlers of the other modules as botocore events. `handlers.py`
has their shared types, and the lookup of jobs. `v3_waits.py` prepares SDK v3 for waiting. `verification.py` proves that
no client bypasses the queue.
"""
