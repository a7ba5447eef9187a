"""TCP ports of this machine."""

import socket

from local_account.errors import AccountError

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """A port that nobody uses now, for an account beside others."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
    return port


def require_free(port: int, option: str) -> None:
    with socket.socket() as probe:
        # As servers do it: connections of a server that has just gone do not make its port taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            raise AccountError(
                f"port {port} is taken by another program; stop it, or choose another port with {option}"
            ) from error
