"""Writes the configuration's sections as YAML, and their differences, for the page."""

from collections.abc import Iterator, Mapping
from difflib import unified_diff
from typing import Any, TypedDict

from sagequeue.api.client import QueueClient
from sagequeue.contract.config import Config, ConfigPlan
from sagequeue.tables.config import yaml_text

#: By kind of section: lines that begin with "+", "-" or a blank, and "…" for lines that are left out.
Differences = dict[str, list[str]]


class Texts(TypedDict):
    text: str  # a file with all sections
    texts: dict[str, str]  # each section alone, by kind


class ShownConfig(Texts, Config):
    """A version of the configuration with the texts of its sections."""


class ShownPlan(ConfigPlan):
    differences: Differences


def shown_config(config: Config) -> ShownConfig:
    sections = config["sections"]
    texts = {kind: yaml_text(section) for kind, section in sections.items()}
    return {**config, "text": yaml_text(sections), "texts": texts}


def shown_plan(plan: ConfigPlan) -> ShownPlan:
    return {**plan, "differences": differences(plan["before"], plan["after"])}


def differences_of_versions(queue: QueueClient, first: int | None, second: int | None) -> dict[str, Differences]:
    """Returns the differences between two versions; None is the current version."""
    before, after = queue.config(version=first), queue.config(version=second)
    return {"differences": differences(before["sections"], after["sections"])}


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Differences:
    """Returns the differences of the sections that differ."""
    found = {kind: [*_lines(_text(kind, before), _text(kind, after))] for kind in {**before, **after}}
    return {kind: lines for kind, lines in found.items() if lines}


def _text(kind: str, sections: Mapping[str, Any]) -> list[str]:
    return yaml_text(sections[kind]).splitlines() if kind in sections else []


def _lines(before: list[str], after: list[str]) -> Iterator[str]:
    for number, line in enumerate(unified_diff(before, after, lineterm="")):
        if number > 2:  # the names of the files, and the place of the first difference
            yield "…" if line.startswith("@@") else line
