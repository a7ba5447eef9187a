"""Counts the GPUs of each instance type, which SageMaker's API does not report.

Each GPU adds up to 100 to a GPU metric (aws-facts 3.1). Trainium has no documented metrics (aws-facts 3.2), so its
chips do not count as GPUs.
"""

from scheduler.core.jobs.demand import Demand, type_of

_FAMILIES = frozenset({
    "p2", "p3", "p3dn", "p4d", "p4de", "p5", "p5e", "p5en", "p6-b200", "p6-b300", "p6e-gb200",
    "g4dn", "g5", "g6", "g6e", "g7", "g7e",
})  # fmt: skip
_TRAINIUM = frozenset({"trn1", "trn1n", "trn2", "trn2u", "trn3"})
_MORE_THAN_ONE = {
    "p2.8xlarge": 8, "p2.16xlarge": 16,
    "p3.8xlarge": 4, "p3.16xlarge": 8, "p3dn.24xlarge": 8,
    "p4d.24xlarge": 8, "p4de.24xlarge": 8,
    "p5.48xlarge": 8, "p5e.48xlarge": 8, "p5en.48xlarge": 8,
    "p6-b200.48xlarge": 8, "p6-b300.48xlarge": 8, "p6e-gb200.36xlarge": 4,
    "g4dn.12xlarge": 4,
    "g5.12xlarge": 4, "g5.24xlarge": 4, "g5.48xlarge": 8,
    "g6.12xlarge": 4, "g6.24xlarge": 4, "g6.48xlarge": 8,
    "g6e.12xlarge": 4, "g6e.24xlarge": 4, "g6e.48xlarge": 8,
    "g7.12xlarge": 2, "g7.24xlarge": 4, "g7.48xlarge": 8,
    "g7e.12xlarge": 2, "g7e.24xlarge": 4, "g7e.48xlarge": 8,
}  # fmt: skip


def gpus_of(instance_type: str) -> int:
    """Returns the number of GPUs: 8 for `ml.p4d.24xlarge`, and 0 for a type without GPUs.

    A new size of a known family counts as one GPU. The threshold for idle GPUs may then be too low, but never so high
    that busy GPUs count as idle.
    """
    name = type_of(instance_type).removeprefix("ml.")
    return _MORE_THAN_ONE.get(name, 1) if name.partition(".")[0] in _FAMILIES else 0


def fewest_gpus_of(demand: Demand) -> int:
    """Returns the smallest number of GPUs among the instances that have GPUs, or 0 if no instance has GPUs."""
    return min((gpus_of(line) for line in demand if gpus_of(line)), default=0)


def has_trainium(demand: Demand) -> bool:
    return any(type_of(line).removeprefix("ml.").partition(".")[0] in _TRAINIUM for line in demand)


def instances_with_gpus(demand: Demand) -> int:
    return sum(count for line, count in demand.counts if gpus_of(line))
