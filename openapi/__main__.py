"""Writes docs/openapi.json, stacks/api.json for the stack, and the schemas for configuration and workflow files."""

from openapi import config_schema, document, gateway, workflow_schema

document.PATH.write_text(document.text())
gateway.PATH.write_text(gateway.text())
workflow_schema.PATH.write_text(workflow_schema.text())
for path in config_schema.PATHS:
    path.write_text(config_schema.text())
