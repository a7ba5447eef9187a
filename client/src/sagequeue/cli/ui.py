"""`sagequeue ui`: shows the queue in a browser."""

import webbrowser

import boto3
import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import echo
from sagequeue.ui.server import PageServer


@click.command()
@click.option("--port", type=click.IntRange(0, 65_535), default=0, help="Local port of the page.  [any free port]")
@click.option("--no-browser", is_flag=True, help="Print the link without opening a browser.")
def ui(port: int, *, no_browser: bool) -> None:
    """Show the queue in a browser, where you can also act on jobs. Stop with Ctrl-C.

    The page is available only on this machine, and only to the first browser that opens the link. The page calls the
    queue with the AWS credentials of this shell.
    """
    session = boto3.Session()
    try:
        server = PageServer(QueueClient(session=session), session, port)
    except OSError as error:
        raise click.ClickException(f"Port {port} is not available: {error.strerror}. Choose another --port.") from error
    with server:
        echo(f"Open this link; it works once: {server.link}\nStop with Ctrl-C.")
        if not no_browser:
            webbrowser.open(server.link)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            echo("\nStopped the page; the queue keeps running.")


COMMANDS = (ui,)
