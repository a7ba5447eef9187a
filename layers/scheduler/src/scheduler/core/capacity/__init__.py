"""The queue's knowledge of SageMaker's capacity: where instances are short, and how many GPUs each type has.

Open `capacity_memory.py` first; `capacity_learning.py` updates it. `locations.py` says where instances come from.
"""
