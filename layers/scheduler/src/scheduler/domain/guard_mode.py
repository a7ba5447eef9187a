"""What is done about training jobs that went round the queue and violate rules."""

from enum import StrEnum


class GuardMode(StrEnum):
    OFF = "off"  # nobody looks at them
    WARN = "warn"  # it is recorded and told
    STOP = "stop"  # what enforced rules are against is stopped, too
