"""A processor of SDK v2 waits in the queue and runs a script. Open `job.py` first."""
