"""Collects the texts that people read: docstrings, messages, descriptions, templates' comments, docs, and the page."""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from inspect import cleandoc
from pathlib import Path
from typing import Any

from support.checkout import CHECKOUT

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_DESCRIPTIONS = {"description", "summary"}
_STACK_TEXT = re.compile(r"^ +(?:Description|AlarmDescription|ConstraintDescription): +(?![>|])(.+)$", re.MULTILINE)
_STACK_BLOCK = re.compile(r"^( +)\w*Description: [>|]-?\n((?:\1 .*\n)+)", re.MULTILINE)
_STACK_COMMENT = re.compile(r"(?:^ *|(?<=\s))# (?!-)(.+)$", re.MULTILINE)
_CODE_BLOCK = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[A-Za-z]{2,}")
_TARGET = re.compile(r"\]\([^)]*\)")
#: A text between two tags of the page, and a literal.
_PAGE_TEXT = re.compile(r">([^<>{}=;]+)<|\"([^\"\n]+)\"|`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Text:
    """A text, and the file and line where it stands. Each value that a message inserts is `X`."""

    place: str
    text: str


def docstrings(*folders: str) -> Iterator[Text]:
    for path in _modules(folders):
        yield from _texts_of(path)[0]


def messages(*folders: str) -> Iterator[Text]:
    """Yields the literals in code that read as prose: two words or more."""
    for path in _modules(folders):
        yield from _texts_of(path)[1]


def api_descriptions() -> Iterator[Text]:
    document = CHECKOUT / "docs" / "openapi.json"
    for path, text in _descriptions(json.loads(document.read_text()), ""):
        yield Text(f"docs/openapi.json{path}", text)


def stack_texts() -> Iterator[Text]:
    for file in (CHECKOUT / "template.yaml", *sorted((CHECKOUT / "stacks").glob("*.yaml"))):
        source = file.read_text()
        for found in _STACK_TEXT.finditer(source):
            yield Text(_place(file, _line(source, found)), found[1].strip("\"'"))
        for found in _STACK_BLOCK.finditer(source):
            yield Text(_place(file, _line(source, found)), cleandoc(found[2]))


def stack_comments() -> Iterator[Text]:
    """Yields each line of a comment."""
    for file in (CHECKOUT / "template.yaml", *sorted((CHECKOUT / "stacks").glob("*.yaml"))):
        source = file.read_text()
        for found in _STACK_COMMENT.finditer(source):
            yield Text(_place(file, _line(source, found)), found[1])


def documentation(*folders: str) -> Iterator[Text]:
    """Yields the paragraphs and cells of tables in pages, without code blocks and addresses of links."""
    for folder in folders:
        for file in sorted((CHECKOUT / "docs" / folder).glob("*.md")):
            prose = _TARGET.sub("]", _CODE_BLOCK.sub("", file.read_text()))
            for part in re.split(r"\n\s*\n|^[-*] |\|", prose, flags=re.MULTILINE):
                if part.strip():
                    yield Text(_place(file, 0), part)


def page_texts() -> Iterator[Text]:
    """Yields the page's words: literals, and text between tags unless it looks like code."""
    for file in sorted((CHECKOUT / "client" / "ui" / "src").glob("*.ts*")):
        source = file.read_text()
        for found in _PAGE_TEXT.finditer(source):
            text = re.sub(r"\$\{[^}]*\}", "X", next(filter(None, found.groups()))).strip()
            if len(_WORD.findall(text)) > 2 and not re.search(r"=>|&&|\?\?|\(\)", text):
                yield Text(_place(file, _line(source, found)), text)


def _modules(folders: tuple[str, ...]) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((CHECKOUT / folder).rglob("*.py")):
            if "build" not in path.parts:  # where pip leaves copies
                yield path


@cache
def _texts_of(path: Path) -> tuple[list[Text], list[Text]]:
    """Returns the docstrings and the messages of a module. Each module is parsed once for all tests."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    documented = [node for node in nodes if isinstance(node, _DOCUMENTED)]
    docstrings = [
        Text(_place(path, node.body[0].lineno), text) for node in documented if (text := ast.get_docstring(node))
    ]
    messages = [
        Text(_place(path, line), cleandoc(text))
        for line, text in _literals(nodes)
        if " " in text.strip() and len(_WORD.findall(text)) > 1
    ]
    return docstrings, messages


def _literals(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yields every string in the code except docstrings and the parts of other strings."""
    parts: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, ast.Expr):
            parts.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts.update(node.values)
            yield (
                node.lineno,
                "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            yield node.lineno, node.value


def _descriptions(content: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(content, dict):
        for name, value in content.items():
            if name in _DESCRIPTIONS and isinstance(value, str):
                yield f"{path}/{name}", value
            yield from _descriptions(value, f"{path}/{name}")
    elif isinstance(content, list):
        for index, value in enumerate(content):
            yield from _descriptions(value, f"{path}/{index}")


def _place(path: Path, line: int) -> str:
    return f"{path.relative_to(CHECKOUT)}:{line}"


def _line(source: str, found: re.Match[str]) -> int:
    return source.count("\n", 0, found.start()) + 1
