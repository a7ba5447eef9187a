"""Reads YAML 1.2, but only with the values that JSON has: dates, times and words such as `off` are text.

PyYAML parses the text into events. It loads six times faster than ruamel.yaml. The layer leaves out its C extension,
because the pure Python version is the same everywhere. This module builds the values itself, because PyYAML would
follow YAML 1.1.
"""

import re
from collections.abc import Iterator
from math import nan
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
)

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

# Also refuses the line breaks that only YAML 1.1 knows, since line numbers would differ from those in an editor.
_REFUSED_CHARACTER = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NOT_FINITE = re.compile(r"NaN|\.(?:nan|NaN|NAN)|[-+]?(?:Infinity|\.(?:inf|Inf|INF))")
# Numbers as JSON writes them. Anything else is text, such as 1_000, or 0123, which may begin an account ID.
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(_WHOLE.pattern + r"(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


def read_yaml(text: str) -> FileContent:
    """Reads the text of a YAML file. The value is None if the file is empty. Raises UnreadableFile."""
    if refused := _REFUSED_CHARACTER.search(text):
        line = text.count("\n", 0, refused.start()) + 1
        raise _unreadable(line, f"The character U+{ord(refused[0]):04X} is not allowed: remove it")
    events = _events(text)
    documents = (event for event in events if isinstance(event, DocumentStartEvent))
    if next(documents, None) is None:
        return FileContent(None, {})
    members = MemberCollector()
    value = _Walk(events, members).value(next(events), ())
    if second := next(documents, None):
        raise _unreadable(_line(second), "A second document begins here: remove the line `---`")
    return members.content(value)


class _Walk:
    """Builds values from events. Refuses anchors and aliases: they let a short text create billions of values."""

    def __init__(self, events: Iterator[Event], members: MemberCollector) -> None:
        self._events = events
        self._members = members

    def value(self, event: Event, path: Path, key_line: int | None = None) -> Any:
        line = key_line or _line(event)
        self._members.add(path, line)
        self._refuse_marks(event, path)
        if isinstance(event, CollectionStartEvent) and len(path) >= MAX_DEPTH:
            raise too_deep(_line(event))
        match event:
            case MappingStartEvent():
                return dict(self._member(key, path) for key in self._until(MappingEndEvent))
            case CollectionStartEvent():
                items = enumerate(self._until(SequenceEndEvent))
                return [self.value(item, (*path, index)) for index, item in items]
            case ScalarEvent():
                return self._members.checked(path, line, _plain_value(event))

    def _member(self, event: Event, path: Path) -> tuple[str, Any]:
        line = _line(event)
        if isinstance(event, CollectionStartEvent):
            raise _unreadable(line, "A key is a list or an object: keys must be text")
        key = event.value if isinstance(event, ScalarEvent) else "*"  # an alias, which is refused
        self._refuse_marks(event, (*path, key))
        if isinstance(event, ScalarEvent) and not isinstance(_plain_value(event), str):
            self._members.refuse((*path, key), line, "is not text: put the key in quotes")
        if isinstance(event, ScalarEvent) and event.style is None and key == "<<":
            self._members.refuse((*path, key), line, "merges objects, which is not supported: write the members out")
        return key, self.value(next(self._events), (*path, key), line)

    def _until(self, end: type[Event]) -> Iterator[Event]:
        for event in self._events:
            if isinstance(event, end):
                return
            yield event

    def _refuse_marks(self, event: Event, path: Path) -> None:
        line = _line(event)
        if isinstance(event, AliasEvent):
            message = f"is the alias *{event.anchor}: write the value out, or put the text in quotes"
            self._members.refuse(path, line, message)
        elif isinstance(event, NodeEvent) and event.anchor is not None:
            message = f"has the anchor &{event.anchor}: remove it, or put the text in quotes"
            self._members.refuse(path, line, message)
        tag = getattr(event, "tag", None)
        if tag is not None:
            self._members.refuse(path, line, f"has the tag {tag}: remove it, or put the text in quotes")


def _plain_value(event: ScalarEvent) -> Any:
    text: str = event.value
    if event.style is not None:  # in quotes, or a block
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return whole_number(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    return nan if _NOT_FINITE.fullmatch(text) else text


def _events(text: str) -> Iterator[Event]:
    loader = yaml.SafeLoader(text)
    try:
        while loader.check_event():
            yield loader.get_event()  # type: ignore[no-untyped-call]  # types-PyYAML leaves it out
    except yaml.MarkedYAMLError as error:
        raise _not_yaml(error, text) from error
    except (ValueError, OverflowError) as error:
        raise _unreadable(loader.line + 1, "An escape sequence or a number here is out of range: correct it") from error


def _not_yaml(error: yaml.MarkedYAMLError, text: str) -> UnreadableFile:
    mark, begin, context = error.problem_mark, error.context_mark, error.context or ""
    if mark and text[mark.index : mark.index + 1] == "\t":
        return _unreadable(mark.line + 1, "A tab is not allowed here: use spaces for indentation and between words")
    if mark and context in {"while scanning an alias", "while scanning an anchor"}:
        return _unreadable(mark.line + 1, "A text that begins with * or & must be in quotes")
    if begin and context.startswith("while scanning"):
        mark = begin  # the quote that has no end, not the end of the file
    elif begin:
        context += f" from line {begin.line + 1}"
    problem = f"{error.problem} ({context})" if context else f"{error.problem}"
    remedy = "Check the indentation, and put text with special characters in quotes"
    return _unreadable(mark.line + 1 if mark else None, f"This is not YAML: {problem}. {remedy}")


def _line(event: Event) -> int:
    line: int = event.start_mark.line  # type: ignore[union-attr]  # each event of a text has a mark
    return line + 1


def _unreadable(line: int | None, message: str) -> UnreadableFile:
    return UnreadableFile([Problem(line, "", message)])
