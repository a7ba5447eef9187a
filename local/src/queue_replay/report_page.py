"""Writes the page of `--report`: a table of all replays, a heat map of the settings, and pictures of each replay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import product
from pathlib import Path

from queue_replay.comparison import Figures, columns_of
from queue_replay.replay import AttemptRecord
from queue_replay.report_pictures import Map, draw_delays, draw_maps, draw_waits_for
from queue_replay.variants import Setting, Variant

_STYLE = files("queue_replay").joinpath("report.css")
_WAITS_TEXT = (
    "A row divides the waiting hours of one priority or user among the holders of the instances at that time. "
    "Only the eight users with the most instance time are named."
)


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one variant, or of the recorded history."""

    figures: Figures
    attempts: Sequence[AttemptRecord]


def write_report(
    folder: Path, heading: str, results: Mapping[str, Result], found: Mapping[str, Variant], settings: Sequence[Setting]
) -> Path:
    """Writes `index.html` and its pictures to the folder. Returns the path of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [f"<h1>{escape(heading)}</h1>", _table(results)]
    if settings:
        draw_maps(folder / "settings.svg", _maps(results, found, settings))
        parts += ["<h2>Heat map of the settings</h2>", _picture("settings.svg", "one cell for each combination")]
    parts += [
        _section(folder, number, title, result, is_open=number == 0)
        for number, (title, result) in enumerate(results.items())
    ]
    page = folder / "index.html"
    body = "\n".join(parts)
    page.write_text(
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(heading)}</title>'
        f"<style>{_STYLE.read_text(encoding='utf-8')}</style>\n<body>\n{body}\n</body></html>\n",
        encoding="utf-8",
    )
    return page


def _table(results: Mapping[str, Result]) -> str:
    rows = {title: columns_of(result.figures) for title, result in results.items()}
    heads = ["", *next(iter(rows.values()))]
    lines = [_row("th", heads), *(_row("td", [title, *values.values()]) for title, values in rows.items())]
    return "\n".join(["<table>", *lines, "</table>"])


def _row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _section(folder: Path, number: int, title: str, result: Result, *, is_open: bool) -> str:
    delays, waits = f"delays-{number}.svg", f"waits-{number}.svg"
    draw_delays(folder / delays, result.attempts)
    draw_waits_for(folder / waits, result.attempts)
    return (
        f"<details{' open' if is_open else ''}><summary><strong>{escape(title)}</strong></summary>\n"
        f"<h3>Delays of each priority</h3>\n{_picture(delays, f'delays of each priority, {title}')}\n"
        f"<h3>Who waits for whom</h3>\n<p>{_WAITS_TEXT}</p>\n{_picture(waits, f'who waits for whom, {title}')}\n"
        "</details>"
    )


def _picture(file: str, text: str) -> str:
    return f'<img src="{file}" alt="{escape(text)}">'


def _maps(results: Mapping[str, Result], found: Mapping[str, Variant], settings: Sequence[Setting]) -> list[Map]:
    """Returns a map for each figure.

    Values of the last setting form the columns, and values of all other settings form the rows.
    """
    *others, last = settings
    sources = list(dict.fromkeys(variant.file for variant in found.values()))
    rows = list(product(sources, list(product(*(setting.values for setting in others)))))
    by_place = {(variant.file, variant.values): results[title].figures for title, variant in found.items()}
    names = [_row_name(file if len(sources) > 1 else None, others, values) for file, values in rows]
    heads = [f"{last.name}={value}" for value in last.values]
    cells = [[by_place[file, (*values, value)] for value in last.values] for file, values in rows]
    return [
        Map("mean delay, hours", names, heads, [[one.mean_delay / 3600 for one in row] for row in cells]),
        Map(
            "p95 delay of the highest priority, minutes",
            names,
            heads,
            [[one.highest_p95_delay / 60 for one in row] for row in cells],
        ),
        Map("repeated work, %", names, heads, [[one.repeated_percent for one in row] for row in cells]),
    ]


def _row_name(file: Path | None, others: Sequence[Setting], values: Sequence[str]) -> str:
    parts = [file.name] if file else []
    return "\n".join([*parts, *(f"{setting.name}={value}" for setting, value in zip(others, values, strict=True))])
