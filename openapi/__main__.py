"""Writes docs/openapi.json."""

from openapi.document import PATH, text

PATH.write_text(text())
