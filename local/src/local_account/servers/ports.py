"""Finds free TCP ports of this machine, and refuses ports in use."""

import socket

from local_account.errors import AccountError

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """Returns an unused port, for an account beside others."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
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
