"""The queue's knowledge of SageMaker's capacity: where instances are short, and how many GPUs each type has.

Open `capacity_memory.py` first: what is remembered, which `capacity_learning.py` updates from attempts.
`locations.py` says where a job's instances come from, `alternative_switch.py` when a waiting attempt gives way to
another alternative.
"""
