"""Every folder stays small enough to read at a glance, says its purpose, and docs/contribute/folders.md has it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGES = {
    "layers/scheduler/src/scheduler",
    "client/src/sagequeue",
    "client/preempt/src/sagequeue_preempt",
    "local/src/local_sagemaker",
    "local/src/local_account",
    "local/src/local_cloudwatch",
    "local/src/local_guard",
    "local/src/queue_replay",
    "local/src/preempt_test",
    "functions",
}
MOST_FILES = 15
MOST_FOLDERS = 15


def _rooms() -> Iterator[tuple[str, Path]]:
    for package in sorted(PACKAGES):
        top = ROOT / package
        for folder in sorted({path.parent for path in top.rglob("*.py")}):
            yield package, folder


def _name(room: tuple[str, Path]) -> str:
    return str(room[1].relative_to(ROOT))


ROOMS = list(_rooms())


@pytest.mark.parametrize("room", ROOMS, ids=map(_name, ROOMS))
def test_a_room_has_few_files_and_folders(room: tuple[str, Path]) -> None:
    files = [path for path in room[1].glob("*.py") if path.name != "__init__.py"]
    folders = [path for path in room[1].iterdir() if path.is_dir() and any(path.glob("*.py"))]
    assert len(files) <= MOST_FILES
    assert len(folders) <= MOST_FOLDERS


@pytest.mark.parametrize("room", [room for room in ROOMS if room[0] != "functions"], ids=_name)
def test_a_room_says_what_it_is_for(room: tuple[str, Path]) -> None:
    """In the docstring of `__init__.py`: a paragraph, with the file to open first."""
    docstring = ast.get_docstring(ast.parse((room[1] / "__init__.py").read_text())) or ""
    assert len(docstring.splitlines()) >= 2


@pytest.mark.parametrize("room", [room for room in ROOMS if room[1] != ROOT / room[0]], ids=_name)
def test_the_architecture_page_names_each_room(room: tuple[str, Path]) -> None:
    package, folder = room
    base = (ROOT / package).parent if package.startswith("local/") else ROOT / package
    assert f"`{folder.relative_to(base)}/`" in (ROOT / "docs" / "contribute" / "folders.md").read_text()
