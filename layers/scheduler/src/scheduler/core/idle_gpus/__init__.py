"""Finds attempts that leave their GPUs idle, by CloudWatch alarms over the GPU metrics of their hosts.

Open `idle_rule` first: what operators may set. `alarms` has the alarms that an attempt needs, `idle_check` decides by
all of its hosts' metrics after an alarm fired, `gpu_metrics` has the values that CloudWatch takes and returns.
"""
