"""Finds attempts that leave their GPUs idle, with CloudWatch alarms on the GPU metrics of their hosts.

Open `idle_rule.py` first: it has the settings. After an alarm fires, `idle_check.py` decides from all hosts' metrics.
"""
