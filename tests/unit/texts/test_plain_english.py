"""Every text that people meet is in plain English, as far as the list in tests/data/plain_english can see."""

from collections.abc import Callable, Iterator

import pytest

from support.texts.collection import (
    Text,
    api_descriptions,
    docstrings,
    documentation,
    messages,
    page_texts,
    stack_comments,
    stack_texts,
)
from support.texts.plain_english import MOST_WORDS, Shape, findings, problems, sentences, shapes

#: The emulator and its conformance tests write in SageMaker's words, so only its docstrings are ours.
OURS = (
    "functions",
    "layers",
    "client",
    "benchmarks",
    "examples",
    "openapi",
    "local/src/local_account",
    "local/src/queue_replay",
)
CODE = (*OURS, "local", "tests")
COLLECTIONS: dict[str, Callable[[], Iterator[Text]]] = {
    "messages": lambda: messages(*OURS),
    "docstrings": lambda: docstrings(*CODE),
    "the API's descriptions": api_descriptions,
    "the stack's descriptions": stack_texts,
    "the page": page_texts,
    "comments of the stack": stack_comments,
}
#: Fewer texts mean that a collection misses some.
LEAST = {
    "messages": 1000,
    "docstrings": 3000,
    "the API's descriptions": 100,
    "the stack's descriptions": 40,
    "the page": 100,
    "comments of the stack": 80,
}
#: Folders of the documentation that contain no shape of the list.
READ = (".", "start", "use", "admin", "reference")


@pytest.mark.parametrize("kind", COLLECTIONS)
def test_texts_are_plain_english(kind: str) -> None:
    texts = list(COLLECTIONS[kind]())
    assert len(texts) >= LEAST[kind]
    assert findings(texts) == []


def test_pages_have_no_shape_of_the_list() -> None:
    pages = list(documentation(*READ))
    assert len(pages) >= 1000
    listed = shapes()
    found = (
        (text.place, shape.name, s)
        for text in pages
        for s in sentences(text.text)
        for shape in listed
        if shape.pattern.search(s)
    )
    assert list(found) == []


@pytest.mark.parametrize("shape", shapes(), ids=lambda shape: shape.name)
def test_each_shape_of_the_list_is_seen_before_and_not_after(shape: Shape) -> None:
    assert list(problems(shape.before, [shape])) == [f"{shape.name} (instead: {shape.instead})"]
    assert list(problems(shape.after, shapes())) == []


def test_a_long_sentence_is_found_and_code_is_not_counted() -> None:
    long = "word " * (MOST_WORDS + 1)
    assert findings([Text("here", f"Short. {long}")]) == [f"here: {MOST_WORDS + 1} words: {long.strip()}"]
    assert findings([Text("here", f"Short: `{long}`.\n\n    {long}")]) == []
