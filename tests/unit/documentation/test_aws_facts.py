"""docs/contribute/aws-facts.md has each fact that code, tests and documents cite by number."""

import re

from support.checkout import CHECKOUT

READERS = ("benchmarks", "client", "docs", "functions", "layers", "local", "tests")
NUMBER = re.compile(r"\d\.\d+|6b")


def test_each_fact_that_is_named_is_there() -> None:
    page = (CHECKOUT / "docs/contribute/aws-facts.md").read_text()
    rows = re.findall(rf"^(?:\| |## )({NUMBER.pattern})", page, re.MULTILINE)
    assert named() - set(rows) == set()


def named() -> set[str]:
    files = [file for folder in READERS for kind in ("py", "md") for file in (CHECKOUT / folder).rglob(f"*.{kind}")]
    texts = [(CHECKOUT / "template.yaml").read_text(), *(file.read_text() for file in files)]
    lists = [found for text in texts for found in re.findall(r"aws-facts (?:(?:\d\.\d+|6b)(?:, | and | to )?)+", text)]
    assert lists
    return {number for found in lists for number in NUMBER.findall(found)}
