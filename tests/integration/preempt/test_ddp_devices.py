"""The ranks exchange numbers on the device that their backend needs. A fake stands for torch."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType, SimpleNamespace

import pytest


@pytest.mark.parametrize(
    ("backend", "device"), [("nccl", ("cuda", 3)), ("smddp", ("cuda", 3)), ("gloo", ("cpu",)), ("mpi", ("cpu",))]
)
def test_backends_for_gpus_get_tensors_on_the_gpu(
    backend: str, device: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    torch, distributed = ModuleType("torch"), ModuleType("torch.distributed")
    vars(distributed)["get_backend"] = lambda _group: backend
    cuda = SimpleNamespace(current_device=lambda: 3)
    vars(torch).update(distributed=distributed, cuda=cuda, device=lambda *words: words)
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch.distributed", distributed)
    ddp = importlib.import_module("sagequeue_preempt.ddp")
    del sys.modules["sagequeue_preempt.ddp"]  # the next import must not find the fake
    assert ddp.TorchGroup()._device == device
