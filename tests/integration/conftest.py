"""Saves time for tests with SDK v2."""

from support.checked_schemas import check_each_schema_once

check_each_schema_once()
