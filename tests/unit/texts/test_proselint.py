"""proselint, a linter of English prose, finds nothing in the texts that people meet."""

from collections.abc import Iterable
from itertools import groupby

from proselint.checks import __register__ as checks
from proselint.config import DEFAULT, Config
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

from support.texts.collection import Text, api_descriptions, docstrings, messages, page_texts, stack_texts
from support.texts.plain_english import sentences

#: Checks that mistake code for prose: `X X` for a repeated word, quoted JSON, `…` in patterns, `resume` for `résumé`.
OFF = (
    "lexical_illusions",
    "typography.symbols.curly_quotes",
    "typography.symbols.ellipsis",
    "typography.diacritical_marks",
    "typography.punctuation.hyperbole",
)
#: The first entry that a check's name begins with decides.
CHECKS = dict.fromkeys(OFF, False) | {name: on and name not in OFF for name, on in DEFAULT["checks"].items()}
CONFIG = Config(max_errors=1000, checks=CHECKS)


def findings(texts: Iterable[Text]) -> list[str]:
    """Lints the texts of each folder as one document: a check takes longer for many documents than for a long one."""
    found = []
    for folder, of_folder in groupby(texts, key=lambda text: text.place.rpartition("/")[0]):
        document = LintFile(folder, "\n\n".join(" ".join(sentences(text.text)) for text in of_folder))
        for result in document.lint(CONFIG):
            begin, end = result.check_result.span
            found.append(f"{folder}: {result.check_result.message} {document.content[begin - 30 : end + 30]!r}")
    return found


def test_proselint_finds_nothing() -> None:
    CheckRegistry().register_many(checks)
    assert len(findings([Text("here", "It is the first of all jobs."), Text("there", "It is very unique.")])) > 1
    product = "functions", "layers", "client", "examples", "local/src"
    for texts in (messages(*product), docstrings(*product), api_descriptions(), stack_texts(), page_texts()):
        assert findings(texts) == []
