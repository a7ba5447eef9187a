"""Servers and processes without an account around them."""

import sys
from pathlib import Path

import psutil
import pytest

from local_account import AccountError, free_port
from local_account.servers import processes
from local_account.servers.server import Server


def test_a_server_that_ends_at_once_is_reported_with_the_end_of_its_log(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "broken.log"
    command = (sys.executable, "-c", "raise SystemExit('no luck today')")
    server = Server("broken", free_port(), "--port", "/health", "any key", command, {}, log)
    process = server.start(tmp_path)
    with pytest.raises(AccountError, match=r"broken did not start; the end of .*broken\.log:\nno luck today"):
        server.await_health(process)
    processes.stop([process], timeout=1)


def test_a_process_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    deaf = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"
    )
    log = tmp_path / "deaf.log"
    process = processes.start((sys.executable, "-c", deaf), {}, tmp_path, log)
    while not log.read_text():
        assert not processes.ends(process, within=0.05)

    processes.stop([process], timeout=0.2)

    assert not process.is_running()


def test_another_process_with_a_recorded_id_is_left_alone(tmp_path: Path) -> None:
    assert processes.find(psutil.Process().pid, tmp_path) is None
