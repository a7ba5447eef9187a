"""MkDocs calls these hooks: they insert the generated references, and make links to files outside docs/ work.

Pages link to examples and sources with paths that work in a checkout. The site contains a copy of each such file.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

CHECKOUT = Path(__file__).parents[1]
DOCS = CHECKOUT / "docs"
#: The folder of the site with the copies.
COPIES = "source"
_MARKER = re.compile(r"^<!-- reference: (\w+) -->$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\[\]]*)\]\((?P<path>(?:\.\./)+[^()\s#]*)(?P<anchor>#[^()\s]*)?\)")
_references: dict[str, str] = {}


def on_pre_build(**_: object) -> None:
    """Generates the references in the Python environment that contains the project's packages."""
    paths = [str(CHECKOUT / "functions"), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    made = subprocess.run(  # noqa: S603  # our own program
        [CHECKOUT / ".venv/bin/python", "-m", "docsite"],
        cwd=CHECKOUT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        check=True,
        stdout=subprocess.PIPE,
    )
    _references.update(json.loads(made.stdout))


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for outside in sorted({path for page in DOCS.rglob("*.md") for path in _outside_files(page)}):
        copy = File.generated(config, f"{COPIES}/{outside.relative_to(CHECKOUT)}", abs_src_path=str(outside))
        files.append(copy)
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    source = DOCS / page.file.src_uri
    linked = _LINK.sub(lambda link: _on_site(link, source), markdown)
    return _MARKER.sub(lambda marker: _references[marker[1]], linked)


def _outside_files(page: Path) -> Iterator[Path]:
    for link in _LINK.finditer(page.read_text()):
        target = _target(link, page)
        if not target.is_relative_to(DOCS) and _has_copy(target):
            yield target


def _on_site(link: re.Match[str], page: Path) -> str:
    """Returns the link in a form that works on the site: a link to the copy or, without a copy, only the text."""
    target = _target(link, page)
    if target.is_relative_to(DOCS):
        return link[0]
    if not target.exists():
        raise FileNotFoundError(f"{page}: {link[0]}")
    if not _has_copy(target):
        return link["text"]
    return f"[{link['text']}]({os.path.relpath(DOCS / COPIES / target.relative_to(CHECKOUT), page.parent)})"


def _target(link: re.Match[str], page: Path) -> Path:
    return Path(os.path.normpath(page.parent / link["path"]))


def _has_copy(target: Path) -> bool:
    """Returns whether the site has a copy of the file. Of Markdown files outside docs/, it has only the changelog."""
    return target.is_file() and (target.suffix != ".md" or target.name == "CHANGELOG.md")
