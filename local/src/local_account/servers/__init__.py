"""Runs the two servers of the local account, ministack and local_sagemaker: their processes and ports.

Open `server` first: for each server, it defines the command, the port and the health check. `processes` starts,
finds and ends processes.
"""
