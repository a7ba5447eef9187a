"""Measures the share of this machine that a host's processes use."""

import shutil
import time
from contextlib import suppress
from pathlib import Path

import psutil

from local_sagemaker.script_runner.host.process import Host


class Usage:
    """Measures a host's usage as SageMaker's metrics do: CPU up to 100 per core, memory and disk up to 100."""

    def __init__(self, host: Host, folder: Path) -> None:
        self._host = host
        self._folder = folder
        self._read_at: float | None = None
        self._busy: dict[int, float] = {}

    def read(self) -> dict[str, float]:
        """Returns the usage since the last call or the start; empty while no process runs."""
        tree = _tree(self._host.pid)
        if not tree:
            return {}
        return {
            "CPUUtilization": self._cpu(tree),
            "MemoryUtilization": min(100.0, sum(map(_memory, tree))),
            "DiskUtilization": _disk(self._folder),
        }

    def _cpu(self, tree: list[psutil.Process]) -> float:
        now = time.time()
        busy = {process.pid: _seconds(process) for process in tree}
        spent = sum(max(0.0, seconds - self._busy.get(pid, 0.0)) for pid, seconds in busy.items())
        elapsed = max(now - (self._read_at or tree[0].create_time()), 0.001)
        self._read_at, self._busy = now, busy
        return 100 * spent / elapsed


def _tree(pid: int | None) -> list[psutil.Process]:
    if pid is None:
        return []
    try:
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _seconds(process: psutil.Process) -> float:
    """Returns the CPU time of the process alone. Living children are counted separately."""
    with suppress(psutil.Error):  # it has ended
        times = process.cpu_times()
        return float(times.user + times.system)
    return 0.0


def _memory(process: psutil.Process) -> float:
    with suppress(psutil.Error):  # same
        return float(process.memory_percent())
    return 0.0


def _disk(folder: Path) -> float:
    disk = shutil.disk_usage(folder)
    return 100 * disk.used / disk.total
