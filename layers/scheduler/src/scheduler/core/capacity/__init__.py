"""Tracks SageMaker's capacity: where instances are short, and how many GPUs each instance type has.

Open `capacity_memory.py` first; `capacity_learning.py` updates it. `locations.py` defines where instances come from.
`attempt_statistics.py` sums up what useful training cost there.
"""
