"""A plain PyTorch loop: a small network with Adam and dropout. A step takes as long as that of a larger network."""

from __future__ import annotations

import time
from pathlib import Path

import torch

from sagequeue_preempt import Preemptible

STEPS = 1500

torch.set_num_threads(1)
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.Dropout(0.2), torch.nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters())
loss = torch.zeros(())


def load(path: Path) -> None:
    state = torch.load(path / "state.pt")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["random"])


def save(path: Path) -> None:
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "random": torch.get_rng_state()}
    torch.save(state, path / "state.pt")


with Preemptible() as job:
    for step in range(job.resume(load), STEPS):
        inputs = torch.randn(16, 8)
        loss = (model(inputs) - inputs.sum(1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        time.sleep(0.02)
        job.step(step, save)
print(f"loss={loss.item()}")
