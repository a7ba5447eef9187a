"""Of which types no warm pools appear, as the ends of attempts show it.

SageMaker says nothing of the account's quota for pools when a job is submitted (aws-facts 2.53). Keep-alive is asked
for nevertheless, which costs nothing: a quota that is used up now is free again in a while.
"""

from attrs import evolve

from scheduler.core.capacity.capacity import CapacityMemory, RefusedPool
from scheduler.core.jobs.attempt import Attempt, Observation


def remembered(memory: CapacityMemory, attempt: Attempt, observation: Observation) -> CapacityMemory:
    """The memory with what the end of the attempt shows: none of its type appeared, or one did."""
    kinds = {*attempt.demand}
    others = tuple(known for known in memory.refused_pools if known.instance_type not in kinds)
    if observation.keeps_instances:
        return evolve(memory, refused_pools=others)
    if not attempt.was_refused_a_pool(observation) or others != memory.refused_pools:
        return memory
    since = observation.ended_at or observation.modified_at
    return evolve(memory, refused_pools=(*others, *(RefusedPool(kind, since) for kind in sorted(kinds))))
