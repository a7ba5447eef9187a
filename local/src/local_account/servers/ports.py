"""Finds free TCP ports of this machine, and refuses ports in use."""

import os
import socket
from itertools import count

from local_account.errors import AccountError

LOOPBACK = "127.0.0.1"
# Below the ports that Linux and macOS give to clients: a client could take a port before its server starts or restarts.
_FIRST_PORT, _PORTS, _PORTS_OF_A_PROCESS = 20_000, 12_000, 40
_tried = count()


def free_port() -> int:
    """Returns an unused port, for an account beside others. Never the same twice, and different in each process."""
    while True:
        port = _FIRST_PORT + (os.getpid() * _PORTS_OF_A_PROCESS + next(_tried)) % _PORTS
        with socket.socket() as probe:
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
        return port


def require_free(port: int, option: str) -> None:
    with socket.socket() as probe:
        # Like servers: old connections of a server that has just ended do not block its port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            raise AccountError(
                f"another program uses port {port}; stop it, or choose another port with {option}"
            ) from error
