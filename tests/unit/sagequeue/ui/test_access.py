"""The host names under which the page's server answers."""

import pytest

from sagequeue.ui.access import BrowserAccess


@pytest.mark.parametrize(
    ("port", "host", "is_known"),
    [
        (8000, "localhost:8000", True),
        (8000, "127.0.0.1:8000", True),
        (8000, "localhost", False),
        (8000, "localhost:8001", False),
        (8000, "rebound.example:8000", False),
        (80, "localhost", True),  # what browsers make of port 80
        (80, "localhost:80", True),
        (80, "rebound.example", False),
    ],
)
def test_the_page_is_known_by_the_names_of_this_machine(port: int, host: str, *, is_known: bool) -> None:
    assert BrowserAccess(port).knows_host(host) is is_known
    assert BrowserAccess(port).is_own_origin(f"http://{host}") is is_known
