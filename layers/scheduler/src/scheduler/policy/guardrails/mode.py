"""What follows when a job is against a rule."""

from enum import StrEnum


class Mode(StrEnum):
    ENFORCE = "enforce"  # refuse, do not launch, stop
    WARN = "warn"  # accept and say so
    OFF = "off"
