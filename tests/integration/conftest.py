"""Saves time for tests with SDK v2 and with moto."""

from support.checked_schemas import check_each_schema_once
from support.dynamodb.moto_answers import find_members_at_once

check_each_schema_once()
find_members_at_once()
