"""Evaluates the alarms that the queue creates on training jobs, because ministack evaluates no alarm on metric math.

Open `evaluation.py` first: it computes an alarm's state. `ministack_alarms.py` connects it to ministack.
"""
