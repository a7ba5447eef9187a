"""Takes screenshots of the page, light and dark, into the folder PICTURES; without it, none."""

from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Page

_SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
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
            picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
            picture.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE).save(
                self._folder / f"page-{view}-{scheme}.png", optimize=True
            )
