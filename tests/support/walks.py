"""Reads the walks on two pages in docs/contribute, and finds the files in which a call really runs."""

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from support.checkout import CHECKOUT

_PAGES = [CHECKOUT / "docs" / "contribute" / name for name in ("walks.md", "client-walks.md")]
_OURS = tuple(f"{CHECKOUT / folder}/" for folder in ("client/src", "local/src", "functions", "layers/scheduler/src"))
_STEP = re.compile(r"^\d+\. `(?P<path>[^`]+)`", re.MULTILINE)


def walks() -> dict[str, list[str]]:
    """Returns the files of each walk by its heading: the first name in backquotes of each numbered line."""
    sections = (
        page.read_text().partition("\n## Files to open for a call\n")[2].partition("\n## ")[0] for page in _PAGES
    )
    parts = [part.partition("\n") for section in sections for part in section.split("\n### ")[1:]]
    return {heading.replace("`", ""): _STEP.findall(text) for heading, _, text in parts}


@contextmanager
def visited_files() -> Iterator[set[str]]:
    """Collects the files in this checkout in which a function runs.

    Import modules first, because imports count, too.
    """
    found: set[str] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(_OURS):
            found.add(str(Path(file).relative_to(CHECKOUT)))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
