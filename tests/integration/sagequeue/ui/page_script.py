"""Calls that the page's script makes to the server."""

import requests

from sagequeue.ui.server import PageServer

#: Markup that runs its script if a page shows it unescaped.
HTML = "<img src=x onerror=alert(1)>"


def enter(server: PageServer, link: str | None = None, origin: str | None = None) -> requests.Response:
    """Exchanges the link for the token as the page's script does."""
    address, _, secret = server.link.partition("/#link=")
    given = secret if link is None else link
    return requests.post(
        f"{address}/api/enter", given.encode(errors="surrogateescape"), headers={"Origin": origin or address}, timeout=5
    )


def post(browser: requests.Session, address: str, path: str, **body: object) -> requests.Response:
    """Calls the server as the page's script does."""
    return browser.post(f"{address}/api/{path}", json=body, headers={"Origin": address})
