"""Reads configuration files: one file, standard input, or all YAML files in a folder, joined into one text."""

import sys
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

import click
import yaml

_YAML = {".yaml", ".yml"}
_ALONE = "Pass it alone, or write it as YAML"


@dataclass(frozen=True, slots=True)
class ConfigText:
    """The text to send. `parts` lists the files: the number of lines before each file in the text, and its name."""

    name: str
    text: str
    parts: tuple[tuple[int, str], ...]

    def place(self, line: int | None) -> str:
        """Returns `file:line` for a line of the text. Without a line, returns the name of the file or folder."""
        if line is None:
            return self.name
        lines_before, file = self.parts[bisect_right(self.parts, line - 1, key=lambda part: part[0]) - 1]
        return f"{file}:{line - lines_before}"


def read_config(path: str) -> ConfigText:
    """Reads a file, a folder, or standard input (`-`). Raises ClickException."""
    try:
        if path == "-":
            return ConfigText("standard input", sys.stdin.read(), ((0, "standard input"),))
        if Path(path).is_dir():
            return _joined(Path(path))
        return ConfigText(path, _text(Path(path)), ((0, path),))
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}. Check the path.") from error
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{path}: {error}. Save the file as UTF-8.") from error


def _joined(folder: Path) -> ConfigText:
    """Returns the folder's YAML files, joined in the order of their names. Each file's text ends with a newline."""
    text = ""
    parts: list[tuple[int, str]] = []
    sections: dict[str, str] = {}
    for file in sorted(file for file in folder.iterdir() if not file.name.startswith(".")):
        if file.suffix.lower() == ".json":
            raise click.ClickException(f"{file}: A JSON file cannot be joined with other files. {_ALONE}.")
        if file.suffix.lower() in _YAML and file.is_file():
            part = _text(file)
            _check_block(part, file, sections)
            parts.append((text.count("\n"), str(file)))
            text += part if part.endswith("\n") else f"{part}\n"
    if not parts:
        raise click.ClickException(f"{folder} contains no *.yaml or *.yml file. Add one, or pass a file.")
    return ConfigText(str(folder), text, tuple(parts))


def _check_block(text: str, file: Path, sections: dict[str, str]) -> None:
    """Adds the file's sections with their places. Raises ClickException if it cannot be joined with other files."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        place = f"{file}:{error.problem_mark.line + 1}" if error.problem_mark else f"{file}"
        raise click.ClickException(
            f"{place}: The file is not valid YAML: {error.problem}. Check indentation and quotes."
        ) from error
    except yaml.YAMLError as error:
        raise click.ClickException(f"{file}: The file is not valid YAML: {error}. Remove the character.") from error
    if root is None:  # the file has only comments
        return
    if not isinstance(root, yaml.MappingNode) or root.flow_style or root.start_mark.column:
        line = root.start_mark.line + 1
        remedy = "Begin each section with its name at the start of a line, such as `rules:`."
        raise click.ClickException(f"{file}:{line}: This file cannot be joined with other files. {remedy}")
    for key, _ in root.value:
        place = f"{file}:{key.start_mark.line + 1}"
        if key.value in sections:
            first = sections[key.value]
            raise click.ClickException(f"{place}: The section {key.value} is also in {first}. Remove one of them.")
        sections[key.value] = place


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8-sig")
