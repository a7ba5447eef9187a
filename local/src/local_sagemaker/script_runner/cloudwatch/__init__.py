"""Sends a training host's log lines and utilization to CloudWatch.

Open `metrics` first: it publishes utilization once a minute, measured by `usage`. `logs` sends the output of the host.
"""
