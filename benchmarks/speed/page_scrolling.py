"""Measures the page's list of 10,000 jobs in headless Chromium: its rows in the DOM, and the time of each scroll event.

PYTHONPATH=tests:functions python -m benchmarks.speed.page_scrolling
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import NamedTuple

import boto3
from playwright.sync_api import CDPSession, Page, sync_playwright

from integration.sagequeue.fakes.http import serving
from page.crowd import BUDGET, Crowd
from sagequeue import QueueClient
from sagequeue.ui.server import PageServer

_JOBS = 10_000
_EVENTS = 300
_MOST_ROWS = 200
_PATIENCE = 180_000  # milliseconds; a busy machine needs a minute to read 10,000 jobs
_WIDTHS = {"1440 pixels": 1440, "390 pixels, as cards": 390}
_CREDENTIALS = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_DEFAULT_REGION": "eu-west-1"}
#: Steps of a few rows, as with a wheel, or of many screens, as with a dragged scroll bar. Each event has its own frame.
_SCROLL = """async ([events, step]) => {
  const box = document.querySelector(".table-frame");
  let most = 0;
  box.scrollTop = 0;
  for (let event = 0; event < events; event++) {
    box.scrollTop = (box.scrollTop + step) % (box.scrollHeight - box.clientHeight);
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    most = Math.max(most, box.querySelectorAll("tr").length);
  }
  return most;
}"""
_STEPS = {"wheel": 90, "scroll bar": 9_000}


class Cost(NamedTuple):
    rows: int
    script: float  # milliseconds of CPU for each event
    layout: float  # the same for layout and styles


def report() -> Iterator[str]:
    yield f"| {_JOBS:,} jobs, window of | scrolled by | most rows in the DOM | script per event | styles and layout |"
    yield "|---|---|---|---|---|"
    with _page() as page:
        for title, width in _WIDTHS.items():
            page.set_viewport_size({"width": width, "height": 844})
            for way, step in _STEPS.items():
                cost = _cost(page, step)
                yield f"| {title} | {way} | {cost.rows} | {cost.script:.1f} ms | {cost.layout:.1f} ms |"
                if cost.rows > _MOST_ROWS:
                    sys.exit(f"more than {_MOST_ROWS} rows are in the DOM")


@contextmanager
def _page() -> Iterator[Page]:
    """Opens the page with all jobs loaded: the sorting makes it read the whole list."""
    os.environ.update(_CREDENTIALS)
    with (
        serving(Crowd(_JOBS - BUDGET)) as url,  # BUDGET more jobs run
        PageServer(QueueClient(url, boto3.Session()), boto3.Session()) as server,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"]) as browser,
    ):
        Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.set_default_timeout(_PATIENCE)
        page.goto(server.link)
        page.goto(f"{server.link.partition('#')[0]}#/now?sort=name")
        page.get_by_role("link", name="run-0", exact=True).wait_for()
        page.locator(f"table[aria-rowcount='{_JOBS + 1}']").wait_for()  # including the header
        yield page
        server.shutdown()


def _cost(page: Page, step: int) -> Cost:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})  # CPU time, which other work does not affect
    before = _seconds(session)
    rows = page.evaluate(_SCROLL, [_EVENTS, step])
    script, layout = (
        (after - earlier) * 1000 / _EVENTS for after, earlier in zip(_seconds(session), before, strict=True)
    )
    return Cost(rows, script, layout)


def _seconds(session: CDPSession) -> tuple[float, float]:
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return metrics["ScriptDuration"], metrics["LayoutDuration"] + metrics["RecalcStyleDuration"]


if __name__ == "__main__":
    for line in report():
        print(line)
