"""Defines the schema of the section `policy`."""

from scheduler.core.planner.policy import PolicySettings
from scheduler.core.sections.schema import Schema

SCHEMA: Schema[PolicySettings] = Schema(PolicySettings)
