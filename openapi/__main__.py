"""Writes docs/openapi.json, stacks/api.json for the stack, and the schema of configuration files."""

from openapi import config_schema, document, gateway

document.PATH.write_text(document.text())
gateway.PATH.write_text(gateway.text())
for path in config_schema.PATHS:
    path.write_text(config_schema.text())
