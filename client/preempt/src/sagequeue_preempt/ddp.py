"""Lets the ranks of PyTorch's DistributedDataParallel agree on saves and stops.

Needs torch and an initialised process group.
"""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed

from sagequeue_preempt.groups import Alone, Group

_ON_GPU = ("nccl", "smddp")  # smddp is SageMaker's own backend


class TorchGroup:
    """Lets ranks agree by one all_reduce of a few numbers at each step, never in a signal handler or another thread."""

    def __init__(self, process_group: Any = None) -> None:
        self._group = process_group
        is_on_gpu = torch.distributed.get_backend(process_group) in _ON_GPU
        self._device = torch.device("cuda", torch.cuda.current_device()) if is_on_gpu else torch.device("cpu")

    @property
    def rank(self) -> int:
        return int(torch.distributed.get_rank(self._group))

    def largest(self, *numbers: int) -> tuple[int, ...]:
        tensor = torch.tensor(numbers, dtype=torch.int64, device=self._device)
        torch.distributed.all_reduce(tensor, op=torch.distributed.ReduceOp.MAX, group=self._group)
        return tuple(int(number) for number in tensor.tolist())


def current_group() -> Group:
    """Returns the ranks of this training job, or this process alone."""
    distributed = torch.distributed
    return TorchGroup() if distributed.is_available() and distributed.is_initialized() else Alone()
