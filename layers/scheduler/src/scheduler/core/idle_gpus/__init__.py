"""Finds attempts that leave their GPUs idle, by CloudWatch alarms over the GPU metrics of their hosts.

Open `idle_rule.py` first: the settings. After an alarm fired, `idle_check.py` decides by the metrics of all hosts.
"""
