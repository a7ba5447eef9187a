"""Which metrics CloudWatch is given. Each costs; docs/operations.md has the prices."""

from enum import StrEnum


class MetricsWanted(StrEnum):
    OFF = "off"
    FEW = "few"
    ALL = "all"
