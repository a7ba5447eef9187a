"""Reads the budget, the configuration and the prices of a replay from the queue, and sections from a file."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path

import click

from sagequeue import QueueClient
from scheduler.core.configuration import kinds
from scheduler.core.sections.file_content import FileContent, UnreadableFile
from scheduler.core.sections.file_text import read_file
from scheduler.core.sections.schema import BadSection, ConfigKind, FieldProblem, suggestion
from scheduler.core.spending.prices.price import Price, PriceList
from scheduler.errors.config_errors import Problem


def own_budget(queue: QueueClient) -> Mapping[str, int]:
    """Returns the budget outside the windows of the calendar."""
    now = queue.budget()
    if now["source"] != "calendar":
        return now["budget"]
    without_windows = (period["budget"] for period in now["periods"] if not period["windows"])
    return next(without_windows, now["budget"])


def own_sections(queue: QueueClient) -> kinds.Sections:
    """Returns the sections of the queue's configuration, without a calendar that an operator's own budget overrides."""
    sections = dict(queue.config()["sections"])
    if queue.budget()["calendar_rests"]:
        del sections[ConfigKind.CALENDAR]
    return sections


def known_prices(queue: QueueClient) -> PriceList:
    answer = queue.prices()
    known = {
        kind: Price(Decimal(str(price["dollars_per_hour"])), date.fromisoformat(price["as_of"]), price["source"] or "")
        for kind, price in answer["prices"].items()
        if price["dollars_per_hour"] is not None and price["as_of"] is not None
    }
    return PriceList(known, answer["region"])


def sections_with(own: kinds.Sections, file: Path) -> kinds.Sections:
    """Returns the sections. Sections in a valid file replace the queue's sections."""
    try:
        content = read_file(file.read_text())
    except UnreadableFile as error:
        raise _refusal(file, error.problems) from error
    unknown = sorted(content.value.keys() - {*ConfigKind})
    if unknown:
        found = [(name, f"is not a kind of settings{suggestion(name, ConfigKind)}") for name in unknown]
        raise _refusal(file, _with_lines(found, content))
    sections = {**own, **content.value}
    try:
        kinds.parse(sections)
    except BadSection as error:
        raise _refusal(file, _with_lines(error.problems, content)) from error
    return sections


def _with_lines(problems: Sequence[FieldProblem], content: FileContent) -> list[Problem]:
    return [Problem(content.line_of(path), path, problem) for path, problem in problems]


def _refusal(file: Path, problems: Sequence[Problem]) -> click.BadParameter:
    found = [f"{file}:{problem.line or 1}: {problem.field} {problem.message}" for problem in problems]
    return click.BadParameter("; ".join(found), param_hint="--config")
