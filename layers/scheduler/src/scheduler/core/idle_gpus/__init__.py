"""Finds attempts that leave their GPUs idle, by CloudWatch alarms over the GPU metrics of their hosts.

Open `idle_rule.py` first: it has the settings. After an alarm fires, `idle_check.py` decides by all hosts' metrics.
"""
