"""The shown numbers of a command, and their comparison with --json."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

REASON = "needs 2 × ml.p4d.24xlarge, free: 0 × ml.p4d.24xlarge; " * 5
Numbers = Mapping[str, str]  # by column
Row = tuple[str, Numbers]  # the text that begins it, and its numbers


@dataclass(frozen=True)
class Case:
    """A command, the API's answers for so many jobs, and the rows that its --json has."""

    words: tuple[str, ...]
    answers: Callable[[int], list[Any]]
    rows: Callable[[Any], Iterator[Row]]


def number(index: int) -> int:
    """Returns a number of four digits or more, of which no beginning is another one's."""
    return 1000 + 7 * index


def ago(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days, hours=5, minutes=30)).isoformat()


def kinds(count: int) -> list[str]:
    return [f"ml.p{index:04d}.large" for index in range(count)]


def lines(count: int) -> dict[str, Any]:
    return {kind: {"limit": number(i) + 2, "held": number(i) + 1, "free": 1} for i, kind in enumerate(kinds(count))}


def assert_numbers(output: str, rows: list[Row]) -> None:
    left_out = {name for found in re.findall(r"left out: (.*?)\.", _unwrapped(output)) for name in found.split(", ")}
    chunks = chunks_of(output, [name for name, _ in rows])
    for name, numbers in rows:
        for column, shown in numbers.items():
            if column not in left_out:
                assert re.search(rf"(?<!\S){re.escape(shown)}(?!\S)", chunks[name]), (name, column, shown, chunks[name])


def chunks_of(output: str, names: list[str]) -> dict[str, str]:
    """Returns the lines of each row, by the text that it begins with or, after its position, has."""
    known, current = set(names), ""
    chunks: dict[str, str] = {}
    for line in output.splitlines():
        words = re.split(r"\s{2,}", line.strip())
        current = next((word for word in words if word in known), current)
        chunks[current] = f"{chunks.get(current, '')}\n{line}"
    assert chunks.keys() >= known, sorted(known - chunks.keys())[:3]
    return chunks


def assert_few_lines(output: str, count: int) -> None:
    """No cell takes more than a few lines: a reason took thirteen."""
    assert len(output.splitlines()) <= 40 + 16 * max(count, 1)


def _unwrapped(text: str) -> str:
    return " ".join(text.split())
