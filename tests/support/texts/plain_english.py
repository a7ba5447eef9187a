"""Checks texts against the list tests/data/plain_english/shapes.yaml, and the length of sentences."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import yaml

from support.checkout import DATA
from support.texts.collection import Text

#: Words in one sentence.
MOST_WORDS = 30
_CODE = re.compile(r"`+[^`]*`+|^ {2,}.*$|^\S.* {2,}\S.*$|^[-*] |[├└│].*$", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+|\n\s*\n|\n(?=- )")
_WORD = re.compile(r"[A-Za-z0-9][\w'’./-]*")


@dataclass(frozen=True, slots=True)
class Shape:
    """A word, or a shape of a sentence, that stops readers. `before` and `after` are a sentence with and without it."""

    name: str
    pattern: re.Pattern[str]
    instead: str
    before: str
    after: str


def shapes() -> list[Shape]:
    listed = yaml.safe_load((DATA / "plain_english" / "shapes.yaml").read_text())
    return [Shape(**{**entry, "pattern": re.compile(entry["pattern"])}) for entry in listed]


def findings(texts: Iterable[Text]) -> list[str]:
    """Returns a line for each sentence with a shape on the list, and for each that is too long."""
    listed = shapes()
    return [
        f"{text.place}: {problem}: {sentence}"
        for text in texts
        for sentence in sentences(text.text)
        for problem in problems(sentence, listed)
    ]


def problems(sentence: str, listed: Iterable[Shape]) -> Iterator[str]:
    for shape in listed:
        if shape.pattern.search(sentence):
            yield f"{shape.name} (instead: {shape.instead})"
    if (count := len(_WORD.findall(sentence))) > MOST_WORDS:
        yield f"{count} words"


def sentences(text: str) -> list[str]:
    """Returns the sentences of a text, with `X` for code. Indented lines are code or tables."""
    plain = _CODE.sub(lambda found: "X" if found[0].startswith("`") else "", text)
    return [" ".join(part.split()) for part in _SENTENCE_END.split(plain) if part.strip()]
