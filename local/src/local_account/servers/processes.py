"""Processes that outlive the command that started them, and certainty that none is left over.

Each carries the account's home in its environment, and so does whatever it starts: Lambda workers, training scripts.
By this mark a process is known as ours, even after a crash and whatever process its number belongs to by then.
"""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

MARK = "SAGEQUEUE_LOCAL_HOME"

# Python complains of child processes that nobody waited for, and a parent that lives on would keep them as zombies.
_children: dict[int, subprocess.Popen[bytes]] = {}


def start(command: Sequence[str], environment: Mapping[str, str], home: Path, log: Path) -> psutil.Process:
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        child = subprocess.Popen(  # noqa: S603 - our own servers, no shell
            command,
            env={**environment, MARK: str(home)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C in the terminal is not meant for it
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


def stop(processes: Sequence[psutil.Process], patience: float) -> None:
    """Ask politely, wait, insist."""
    for process in processes:
        _signal(process, psutil.Process.terminate)
    _, deaf = psutil.wait_procs(processes, timeout=patience)
    kill(deaf)
    _reap(processes)


def kill(processes: Sequence[psutil.Process]) -> None:
    cut_off(processes)
    psutil.wait_procs(processes)
    _reap(processes)


def cut_off(processes: Sequence[psutil.Process]) -> None:
    """Kill without waiting: they may be the children of somebody who has yet to take note."""
    for process in processes:
        _signal(process, psutil.Process.kill)


def _is_marked(process: psutil.Process, home: Path) -> bool:
    try:
        return process.environ().get(MARK) == str(home)
    except (psutil.NoSuchProcess, psutil.AccessDenied):  # it ended, or is another user's
        return False


def _reap(processes: Sequence[psutil.Process]) -> None:
    for process in processes:
        if child := _children.pop(process.pid, None):
            child.wait()


def _signal(process: psutil.Process, send: Callable[[psutil.Process], None]) -> None:
    with suppress(psutil.NoSuchProcess):
        send(process)
