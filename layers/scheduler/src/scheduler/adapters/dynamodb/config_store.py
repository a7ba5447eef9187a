"""Stores the operator settings in the table: the controls, and each version of the configuration.

Cycles read the current controls from one item. Each version of the controls also has a separate item.
"""

from dataclasses import dataclass, replace

from scheduler.adapters.dynamodb.records.items import (
    CONFIG,
    CONTROLS,
    config_key,
    controls_key,
    past_controls_key,
    readable_controls,
    readable_version,
    version_number,
)
from scheduler.adapters.dynamodb.records.record_converter import Item, converter, record
from scheduler.adapters.dynamodb.table import Table
from scheduler.adapters.dynamodb.writes import ABSENT, put
from scheduler.core.configuration.configuration import ConfigVersion
from scheduler.core.sections.controls import Controls
from scheduler.errors.internal import StaleConfig, StaleControls, StaleJob

#: The writer named in past controls. Its writes wake no cycle.
_PAST = "past"


def is_config_version(item: Item) -> bool:
    return bool(item["pk"] == {"S": CONFIG})


@dataclass(frozen=True, slots=True)
class DynamoDBControlStore:
    table: Table

    def read(self) -> Controls:
        item = self.table.item(controls_key())
        return readable_controls(item) if item else Controls()

    def write(self, controls: Controls, *, by: str) -> Controls:
        written = replace(controls, version=controls.version + 1)
        values = converter.unstructure(written)
        unchanged, version = f"{ABSENT} OR #version = :version", {":version": controls.version}
        try:
            self.table.transact(
                put(controls_key() | record(values, by), unchanged, version, names={"#version": "version"}),
                put(past_controls_key(written.version) | record(values, _PAST)),
            )
        except StaleJob as error:
            raise StaleControls(f"version {controls.version}") from error
        return written

    def before(self, version: int, limit: int) -> list[Controls]:
        items = self.table.last(CONTROLS, limit, before=version_number(version))
        return [controls for controls in map(readable_controls, items) if controls.is_readable]


@dataclass(frozen=True, slots=True)
class DynamoDBConfigStore:
    """Stores each version in one item, so a conditional write applies the whole version or nothing."""

    table: Table

    def latest(self, limit: int = 1, before: int | None = None) -> list[ConfigVersion]:
        behind = None if before is None else version_number(before)
        return [readable_version(item) for item in self.table.last(CONFIG, limit, before=behind)]

    def get(self, version: int) -> ConfigVersion | None:
        item = self.table.item(config_key(version))
        return readable_version(item) if item else None

    def add(self, version: ConfigVersion, *, by: str) -> None:
        if not self.table.add(config_key(version.version) | record(converter.unstructure(version), by)):
            raise StaleConfig(f"version {version.version}")
