"""How many GPUs an instance has: SageMaker's API does not say, and its GPU metrics run to 100 for each."""

_GPU_FAMILIES = frozenset({
    "p2", "p3", "p3dn", "p4d", "p4de", "p5", "p5e", "p5en", "p6-b200", "p6-b300", "p6e-gb200",
    "g4dn", "g5", "g6", "g6e", "g7", "g7e",
})  # fmt: skip
# Types with more than one (those of g7 are assumed to be like g7e). Trainium's metrics are not documented: it has none.
_SEVERAL = {
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


def gpus(instance_type: str) -> int:
    """Of `ml.p4d.24xlarge` 8; 0 for a type without."""
    name = instance_type.removeprefix("ml.")
    return _SEVERAL.get(name, 1) if name.partition(".")[0] in _GPU_FAMILIES else 0
