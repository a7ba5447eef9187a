"""The queue over time: for `sagequeue watch`."""

import json
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import click
from rich.console import Console
from rich.live import Live

from sagequeue.client import QueueClient
from sagequeue.contract import FINISHED, Listing
from sagequeue.tables import queue_view


def snapshots(queue: QueueClient, limit: int, every: float, *, until_empty: bool) -> Iterator[Listing]:
    """The queue's jobs every so many seconds, as `ls`; with `until_empty`, to the one in which all have ended."""
    while True:
        page = queue.page(limit=limit)
        yield page
        if until_empty and all(job["state"] in FINISHED for job in page["jobs"]):  # what has not ended comes first
            return
        time.sleep(every)


def watch_table(pages: Iterable[Listing], console: Console) -> None:
    """A live screen on a terminal; elsewhere the table of each change."""
    if not console.is_terminal:
        for page in _changes(pages):
            console.print(queue_view(page, datetime.now(UTC)))
        return
    with Live(console=console, auto_refresh=False) as live:
        for page in pages:
            live.update(queue_view(page, datetime.now(UTC)), refresh=True)


def watch_json(pages: Iterable[Listing]) -> None:
    """One line per change."""
    for page in _changes(pages):
        click.echo(json.dumps(page, ensure_ascii=False))


def _changes(pages: Iterable[Listing]) -> Iterator[Listing]:
    last = None
    for page in pages:
        if page != last:
            yield page
        last = page
