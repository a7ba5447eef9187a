"""Reads the text of a configuration file, YAML or JSON, as plain values with lines. Open `yaml_text.py` for YAML."""

import json
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from scheduler.core.sections.file_content import (
    MAX_DEPTH,
    FileContent,
    MemberCollector,
    Path,
    UnreadableFile,
    too_deep,
    whole_number,
)
from scheduler.errors.config_errors import Problem

#: Far more than a configuration needs, and less than a table item holds (aws-facts 4.20).
MAX_BYTES = 256 * 1024
_EXPECTED: dict[type, str] = {dict: "names with values, such as `rules:`", list: "a list: begin each entry with `-`"}
# An unterminated string matches up to the end of the text. Otherwise, each quote in it would be tried in turn.
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'
_TOKEN = re.compile(rf'(?P<key>{_STRING}(?=\s*+:))|(?P<value>{_STRING}|[\[{{]|[^\s"\[\]{{}},:]++)|[\]}}]', re.DOTALL)


def read_file(text: str, top_level: type = dict) -> FileContent:
    """Reads a file as JSON if it begins with a brace or bracket, and otherwise as YAML. Raises UnreadableFile."""
    text = text.removeprefix("\ufeff")  # a byte order mark, which editors on Windows may write
    if len(text.encode(errors="surrogatepass")) > MAX_BYTES:
        raise UnreadableFile([Problem(None, "", f"The file is longer than {MAX_BYTES} bytes: shorten it")])
    content = _read_json(text) if text.lstrip()[:1] in {"{", "["} else _read_yaml(text)
    if content.value is None:
        raise UnreadableFile([Problem(None, "", f"The file is empty: write {_EXPECTED[top_level]}")])
    if not isinstance(content.value, top_level):
        raise UnreadableFile([Problem(content.line_of(""), "", f"The file must be {_EXPECTED[top_level]}")])
    return content


def _read_yaml(text: str) -> FileContent:
    # Imported here: PyYAML takes up 25 ms of a cold start, and only calls that apply YAML need it.
    from scheduler.core.sections.yaml_text import read_yaml

    return read_yaml(text)


def _read_json(text: str) -> FileContent:
    _check_depth(text)
    try:
        parsed = json.loads(text, object_pairs_hook=_Members, parse_int=whole_number)
    except json.JSONDecodeError as error:
        remedy = "Correct it, or write YAML without the outer braces"
        raise UnreadableFile([Problem(error.lineno, "", f"This is not JSON: {error.msg}. {remedy}")]) from error
    members = MemberCollector()
    return members.content(_collect(parsed, (), _lines(text), members))


class _Members(list[tuple[str, Any]]):
    """The members of a JSON object in the file's order, including repeated members."""


def _collect(parsed: Any, path: Path, lines: Iterator[int], members: MemberCollector) -> Any:
    """Returns the plain value and collects its members. `lines` yields the line of each value in the file's order."""
    line = next(lines)
    members.add(path, line)
    match parsed:
        case _Members():
            return {key: _collect(value, (*path, key), lines, members) for key, value in parsed}
        case list():
            return [_collect(value, (*path, index), lines, members) for index, value in enumerate(parsed)]
        case _:
            return members.checked(path, line, parsed)


def _lines(text: str) -> Iterator[int]:
    """Yields the line of each value in valid JSON. For a member, it is the line of its key."""
    line, counted, key_line = 1, 0, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", counted, token.start())
        counted = token.start()
        if token["key"]:
            key_line = line
        elif token["value"]:
            yield key_line or line
            key_line = 0


def _check_depth(text: str) -> None:
    """Raises UnreadableFile for deeply nested JSON, because Python's parser would recurse too deeply."""
    brackets = [token for token in _TOKEN.finditer(text) if token[0] in "[{]}"]
    depths = accumulate(1 if token[0] in "[{" else -1 for token in brackets)
    for token, depth in zip(brackets, depths, strict=True):
        if depth > MAX_DEPTH:
            raise too_deep(text.count("\n", 0, token.start()) + 1)
