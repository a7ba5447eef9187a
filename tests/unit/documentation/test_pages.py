"""The pages are short, are in the navigation of the site, and their code is code."""

import ast
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest
import yaml
from docsite.__main__ import REFERENCES

from sagequeue.cli.main import main
from support.checkout import CHECKOUT

DOCS = CHECKOUT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), CHECKOUT / "README.md", CHECKOUT / "CONTRIBUTING.md"])
#: Words outside code that a page for one reader may have.
MOST_WORDS = 1200
#: Lists, in which a contributor looks things up.
LISTS = {"aws-facts.md", "folders.md", "records.md"}
READERS = ("start", "use", "admin", "contribute")
SHORT = [
    page
    for page in PAGES
    if page.parent in (DOCS, CHECKOUT) or (page.parent.name in READERS and page.name not in LISTS)
]
_BLOCK = re.compile(r"^( *)```([\w-]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_MAKE = re.compile(r"^([\w-]+)(?: [\w-]+)*:(?!=)", re.MULTILINE)
_MARKER = re.compile(r"^<!-- reference: (\w+) -->$", re.MULTILINE)


class Block(NamedTuple):
    page: str
    language: str
    code: str


def blocks(*languages: str) -> list[Block]:
    return [
        Block(str(page.relative_to(CHECKOUT)), language, re.sub(rf"^{indent}", "", code, flags=re.MULTILINE))
        for page in PAGES
        if "decisions" not in page.parts
        for indent, language, code in _BLOCK.findall(page.read_text())
        if language in languages
    ]


def commands() -> Iterator[Block]:
    """Yields each command that a reader types."""
    for block in blocks("console"):
        for line in re.findall(r"^\$ (.*(?:\\\n.*)*)$", block.code, re.MULTILINE):
            yield Block(block.page, "console", line.replace("\\\n", " "))


def calls_of(program: str) -> list[Block]:
    """Returns the command lines of a program, each without what follows a pipe or a comment."""
    lines = [
        Block(one.page, program, part.strip())
        for one in commands()
        for part in re.split(r" && | \| |; | > | >> ", one.code)
        if part.strip().split(" ")[0] == program
    ]
    return list(dict.fromkeys(lines))


def _id(block: Block) -> str:
    return f"{block.page}: {block.code.splitlines()[0]}"


@pytest.mark.parametrize("page", SHORT, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_a_page_for_one_reader_is_short(page: Path) -> None:
    assert len(_BLOCK.sub("", page.read_text()).split()) <= MOST_WORDS


def test_the_index_lists_each_decision_once_in_order() -> None:
    folder = DOCS / "contribute" / "decisions"
    listed = re.findall(r"\]\((20.*?\.md)\)", (folder / "README.md").read_text())
    assert listed == sorted(note.name for note in folder.glob("20*.md"))


def test_each_reference_of_the_code_has_its_place_on_a_page() -> None:
    assert sorted(name for page in PAGES for name in _MARKER.findall(page.read_text())) == sorted(REFERENCES)


@pytest.mark.parametrize("name", REFERENCES)
def test_a_reference_can_be_made(name: str) -> None:
    assert len(REFERENCES[name]().splitlines()) > 5


@pytest.mark.parametrize("block", blocks("python"), ids=_id)
def test_python_is_python(block: Block) -> None:
    ast.parse(block.code.replace("…", "..."))


@pytest.mark.parametrize("block", blocks("json"), ids=_id)
def test_json_is_json(block: Block) -> None:
    json.loads(re.sub(r"\bnull, $", "null", re.sub(r"\[…\]|\{…\}", "[]", block.code)))


@pytest.mark.parametrize("block", blocks("yaml"), ids=_id)
def test_yaml_is_yaml(block: Block) -> None:
    assert yaml.safe_load(block.code) is not None


@pytest.mark.parametrize("line", calls_of("sagequeue"), ids=_id)
def test_a_command_exists_with_its_options(line: Block) -> None:
    words = shlex.split(line.code.replace("…", "X"), comments=True)[1:]
    command: click.Command = main
    context = click.Context(main)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(context, words[0])
        assert found or command.invoke_without_command, line.code
        if found is None:
            break
        command, words = found, words[1:]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    assert {word.partition("=")[0] for word in words if word.startswith("--")} - known - {"--help"} == set()


@pytest.mark.parametrize("line", calls_of("make"), ids=_id)
def test_a_target_exists(line: Block) -> None:
    targets = set(_MAKE.findall((CHECKOUT / "Makefile").read_text()))
    words = shlex.split(line.code, comments=True)[1:]
    assert {word for word in words if "=" not in word} <= targets


@pytest.mark.parametrize("line", calls_of("python"), ids=_id)
def test_a_program_exists(line: Block) -> None:
    program = line.code.split(" ")[1]
    assert not program.startswith("examples/") or (CHECKOUT / program).exists()


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/contribute/recipes.md"])
def test_the_recipes_name_files_that_exist(page: str) -> None:
    text = (CHECKOUT / page).read_text()
    roots = "tests|layers|functions|client|local|docs|examples|openapi|benchmarks|docsite"
    named = set(re.findall(rf"(?<![\w/])((?:{roots})/[\w./-]*[\w/])", text))
    assert named
    assert {path for path in named if not (CHECKOUT / path).exists()} == set()
