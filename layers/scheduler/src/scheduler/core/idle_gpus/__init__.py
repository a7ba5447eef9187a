"""Finds attempts that leave their GPUs idle, by CloudWatch alarms over the GPU metrics of their hosts.

Open `idle_rule.py` first: what operators may set. `alarms.py` has the alarms that an attempt needs, `idle_check.py`
decides by all of its hosts' metrics after an alarm fired, `gpu_metrics.py` has the values that CloudWatch takes and
returns.
"""
