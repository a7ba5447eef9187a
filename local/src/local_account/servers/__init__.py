"""The two servers of the local account, ministack and local_sagemaker: their processes and ports.

Open `server` first: it describes how each server starts, on which port, and when it is healthy. `processes` starts,
finds and ends processes.
"""
