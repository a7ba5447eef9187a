"""Starts and ends server processes, which survive the command that started them.

Each server has the account's home in its environment. So do its child processes: Lambda workers and training scripts.
This mark identifies the processes even after a crash, or after the operating system has reused a process id.
"""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

MARK = "SAGEQUEUE_LOCAL_HOME"

# Kept so that each child can be waited for: otherwise, Python warns, and children stay zombies while their parent runs.
_children: dict[int, subprocess.Popen[bytes]] = {}


def start(command: Sequence[str], environment: Mapping[str, str], home: Path, log: Path) -> psutil.Process:
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        child = subprocess.Popen(  # noqa: S603 - the account's own servers, no shell
            command,
            env={**environment, MARK: str(home)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that Ctrl-C in the terminal does not end it
        )
    _children[child.pid] = child
    return psutil.Process(child.pid)


def find(pid: int, home: Path) -> psutil.Process | None:
    try:
        process = psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None
    return process if _is_marked(process, home) else None


def find_all(home: Path) -> list[psutil.Process]:
    return [process for process in psutil.process_iter() if _is_marked(process, home)]


def ends(process: psutil.Process, within: float) -> bool:
    try:
        process.wait(timeout=within)
    except psutil.TimeoutExpired:
        return False
    return True


def stop(processes: Sequence[psutil.Process], timeout: float) -> None:
    """Terminates the processes. After the timeout, kills the processes that are still running."""
    for process in processes:
        _signal(process, psutil.Process.terminate)
    _, remaining = psutil.wait_procs(processes, timeout=timeout)
    kill(remaining)
    _reap(processes)


def kill(processes: Sequence[psutil.Process]) -> None:
    kill_without_waiting(processes)
    psutil.wait_procs(processes)
    _reap(processes)


def kill_without_waiting(processes: Sequence[psutil.Process]) -> None:
    """Kills the processes without waiting for them, because their parent may still need their exit status."""
    for process in processes:
        _signal(process, psutil.Process.kill)


def _is_marked(process: psutil.Process, home: Path) -> bool:
    try:
        return process.environ().get(MARK) == str(home)
    except (psutil.NoSuchProcess, psutil.AccessDenied):  # it has ended, or belongs to another user
        return False


def _reap(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        if child := _children.pop(process.pid, None):
            child.wait()


def _signal(process: psutil.Process, send: Callable[[psutil.Process], None]) -> None:
    with suppress(psutil.NoSuchProcess):
        send(process)
