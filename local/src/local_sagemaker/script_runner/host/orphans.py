"""Processes that a server which died without warning left behind."""

import logging
import os
import shutil
import signal
from pathlib import Path

_PROCESSES = Path("/proc")  # on systems without it, a crashed server's processes run on to their end

_log = logging.getLogger(__name__)


def clear(work: Path) -> None:
    """Ends what still runs in the folder of the runs, and removes it."""
    for process in _PROCESSES.glob("[0-9]*"):
        if _works_in(process, work):
            _log.warning("ended process %s, left over from a server that died", process.name)
            _kill(int(process.name))
    shutil.rmtree(work, ignore_errors=True)


def _works_in(process: Path, folder: Path) -> bool:
    try:
        return (process / "cwd").readlink().is_relative_to(folder)
    except OSError:
        return False  # it ended meanwhile, or belongs to somebody else


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # it ended meanwhile
