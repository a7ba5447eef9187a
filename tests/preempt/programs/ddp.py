"""Two ranks of DistributedDataParallel with gloo, which the script starts itself."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
import torch.distributed

from sagequeue_preempt import Preemptible
from sagequeue_preempt.ddp import TorchGroup

STEPS = 1500
RANKS = 2


def train(rank: int) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)
    torch.distributed.init_process_group("gloo", init_method=os.environ["MEETING"], rank=rank, world_size=RANKS)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 1))
    optimizer = torch.optim.Adam(model.parameters())
    loss = torch.zeros(())

    def load(path: Path) -> None:
        state = torch.load(path / "state.pt")
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])

    def save(path: Path) -> None:
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path / "state.pt")

    with Preemptible(group=TorchGroup()) as job:
        for step in range(job.resume(load), STEPS):
            agreed = torch.tensor([step, -step])
            torch.distributed.all_reduce(agreed, op=torch.distributed.ReduceOp.MAX)
            assert agreed.tolist() == [step, -step], f"rank {rank} does step {step}, another one step {agreed}"
            inputs = torch.randn(16, 8, generator=torch.Generator().manual_seed(step * RANKS + rank))
            loss = (model(inputs) - inputs.sum(1, keepdim=True)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            time.sleep(0.02)
            job.step(step, save)
    if rank == 0:  # the lines of two ranks can mix
        print(f"loss={loss.item()}")


def start_ranks() -> None:
    """Starts a process for each rank, with a file at which they meet: a free port can be taken before they use it."""
    with TemporaryDirectory() as folder:
        variables = {**os.environ, "WORLD_SIZE": str(RANKS), "MEETING": f"file://{folder}/meeting"}
        variables["GLOO_SOCKET_IFNAME"] = "lo"
        ranks = [
            subprocess.Popen([sys.executable, __file__], env={**variables, "RANK": str(rank)})  # noqa: S603  # this file
            for rank in range(RANKS)
        ]
        assert [rank.wait() for rank in ranks] == [0, 0]


if __name__ == "__main__":
    if "RANK" in os.environ:
        train(int(os.environ["RANK"]))
        # Gloo's threads can abort a process that ends while its group exists.
        torch.distributed.destroy_process_group()
    else:
        start_ranks()
