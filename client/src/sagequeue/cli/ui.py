"""`sagequeue ui`: the queue in a browser."""

import webbrowser

import boto3
import click

from sagequeue.api.client import QueueClient
from sagequeue.ui.server import PageServer


@click.command()
@click.option("--port", type=click.IntRange(0, 65_535), default=0, help="Of this machine.  [any that is free]")
@click.option("--no-browser", is_flag=True, help="Only print the link.")
def ui(port: int, *, no_browser: bool) -> None:
    """Show the queue in a browser, and act on it there, until Ctrl-C.

    The page is served to this machine alone, and to the browser that opens its link first. It calls the queue with
    the AWS credentials of this shell.
    """
    session = boto3.Session()
    try:
        server = PageServer(QueueClient(session=session), session, port)
    except OSError as error:
        raise click.ClickException(f"Port {port} cannot be used: {error.strerror}. Choose another --port.") from error
    with server:
        click.echo(f"Open, once: {server.link}\nCtrl-C ends it.")
        if not no_browser:
            webbrowser.open(server.link)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("\nThe queue goes on.")


COMMANDS = (ui,)
