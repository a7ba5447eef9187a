"""Starts a script with torchrun, as AWS's toolkit does for the distribution torch_distributed."""

import socket
import subprocess
from dataclasses import dataclass

from local_sagemaker.errors import JobError

_FINDS_TORCH = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"


@dataclass(frozen=True, slots=True)
class Torchrun:
    """Torchrun's arguments on one host. All hosts are on this machine, so they meet at one of its free ports."""

    hosts: int
    rank: int
    processes: int  # on this host
    port: int

    def command(self, python: str) -> list[str]:
        options = {
            "--nnodes": self.hosts,
            "--nproc_per_node": self.processes,
            "--master_addr": "127.0.0.1",
            "--master_port": self.port,
            "--node_rank": self.rank,
        }
        given = [word for option, value in options.items() for word in (option, str(value))]
        return [python, "-m", "torch.distributed.run", *given]  # torchrun with this Python


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def require_torch(python: str, environment: dict[str, str]) -> None:
    """Raises JobError if this Python has no torch."""
    found = subprocess.run([python, "-c", _FINDS_TORCH], env=environment, check=False)  # noqa: S603 - as the job's own
    if found.returncode:
        raise JobError(
            f"the distribution torch_distributed needs torch, which {python} does not have: install it there, choose "
            "another --script-python, or leave the distribution out"
        )
