"""What the queue knows about SageMaker's capacity: where instances are short, and how many GPUs each type has.

Open `capacity_memory` first: what is remembered, which `capacity_learning` updates from attempts. `locations` says
where a job's instances come from, `alternative_switch` when a waiting attempt gives way to another alternative.
"""
