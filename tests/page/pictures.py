"""Takes screenshots of the page, light and dark, into the folder PICTURES; without it, none."""

import re
from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Page, expect

_SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
#: The beginning of a text in place of a value that is not there yet.
_UNDERWAY = re.compile(r"^(updating|Loading|Asking)")
#: Enough for text and the colours of states, at a third of the size.
_COLOURS = 128


class Pictures:
    def __init__(self, folder: str) -> None:
        self._folder = Path(folder) if folder else None

    def take(self, page: Page, view: str) -> None:
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        for scheme in _SCHEMES:
            page.emulate_media(color_scheme=scheme)
            expect(page.get_by_text(_UNDERWAY)).to_have_count(0)
            picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
            picture.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE).save(
                self._folder / f"page-{view}-{scheme}.png", optimize=True
            )
