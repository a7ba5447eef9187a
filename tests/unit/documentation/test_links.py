"""Every link of the pages leads to a file, and to a heading of it. It must work in a checkout and on the site."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from support.checkout import CHECKOUT

PAGES = sorted([*(CHECKOUT / "docs").rglob("*.md"), *CHECKOUT.glob("*.md"), CHECKOUT / "tests/README.md"])
_FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
_INLINE_CODE = re.compile(r"(?<=[ (])`[^`\n]*`(?=[ .,:;)])")
_LINK = re.compile(r"\[[^\[\]]*\]\((?![a-z]+:)([^()\s#]*)(?:#([^()\s]*))?\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_ANCHOR = re.compile(r"<a id=\"([^\"]*)\">")


@cache
def _prose(page: Path) -> str:
    return _INLINE_CODE.sub("", _FENCE.sub("", page.read_text()))


@cache
def _anchors(page: Path) -> set[str]:
    """Returns the anchors of the headings as GitHub and the site make them."""
    headings = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in _HEADING.findall(_prose(page)))
    slugs = {
        re.sub(r"[^\w\- ]", "", heading.lower().replace("`", "")).strip().replace(" ", "-") for heading in headings
    }
    return slugs | set(_ANCHOR.findall(page.read_text()))


def links() -> Iterator[object]:
    for page in PAGES:
        for path, anchor in dict.fromkeys(_LINK.findall(_prose(page))):
            yield pytest.param(page, path, anchor, id=f"{page.relative_to(CHECKOUT)}: {path}#{anchor}")


@pytest.mark.parametrize(("page", "path", "anchor"), [*links()])
def test_a_link_leads_somewhere(page: Path, path: str, anchor: str) -> None:
    target = (page.parent / path).resolve() if path else page
    assert target.exists()
    assert not anchor or anchor in _anchors(target)
