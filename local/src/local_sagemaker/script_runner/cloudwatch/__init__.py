"""What a host sends to CloudWatch while it trains: log lines, and how busy it is.

Open `metrics` first: it publishes utilization once a minute, measured by `usage`. `logs` sends the output of the host.
"""
