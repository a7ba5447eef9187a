"""Builds the JSON schema for workflow files, for use in editors. `sagequeue submit` also checks each request."""

import json
from pathlib import Path

from openapi.bodies import JobOptions
from openapi.schemas import Schema, Schemas
from scheduler.core.requests.arrays.parameters import MOST_CHILDREN

PATH = Path(__file__).parents[1] / "docs" / "workflow.schema.json"
_NAME = "^[a-zA-Z0-9](-*[a-zA-Z0-9])*$"
_VALUE: Schema = {"type": ["string", "number", "boolean"]}
_MATRIX: Schema = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": {"type": "array", "minItems": 1, "items": _VALUE},
}
_SETS: Schema = {
    "type": "array",
    "minItems": 1,
    "items": {"type": "object", "minProperties": 1, "additionalProperties": _VALUE},
}
_DEPENDENCIES = {
    "after_ok": "The job waits until these jobs in the file have completed.",
    "after_any": "The job waits until these jobs in the file have ended.",
    "after_not_ok": "The job waits until these jobs in the file have failed or been stopped.",
}


def text() -> str:
    return json.dumps(_schema(), indent=1, ensure_ascii=False) + "\n"


def _schema() -> Schema:
    schemas = Schemas()
    schemas.of(JobOptions)
    definitions = json.loads(json.dumps(schemas.components).replace("#/components/schemas/", "#/$defs/"))
    options = definitions["JobOptions"]
    options["properties"] = {name: kind for name, kind in options["properties"].items() if name not in _DEPENDENCIES}
    options["additionalProperties"] = False
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Workflow of SageQueue",
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "jobs"],
        "properties": {
            "name": {
                "type": "string",
                "pattern": _NAME,
                "description": "The name of the workflow. All its jobs' names begin with it.",
            },
            "jobs": {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/$defs/Job"}},
        },
        "$defs": {**definitions, "Job": _job()},
    }


def _job() -> Schema:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["request"],
        "dependentRequired": {"at_most": ["array"], "most_failures": ["array"]},
        "properties": {
            "request": {
                "type": ["object", "string"],
                "description": (
                    "A request for a job, or the name of a JSON or YAML file that contains it, in the same "
                    "folder as this file."
                ),
            },
            "array": {
                "oneOf": [_MATRIX, _SETS],
                "description": "The array's parameters: each set of values becomes a job.",
            },
            "at_most": {"type": "integer", "minimum": 1, "maximum": MOST_CHILDREN},
            "most_failures": {"type": "integer", "minimum": 0, "maximum": MOST_CHILDREN},
            **{name: _names(description) for name, description in _DEPENDENCIES.items()},
            "options": {"$ref": "#/$defs/JobOptions"},
        },
    }


def _names(description: str) -> Schema:
    return {"type": "array", "items": {"type": "string"}, "description": description}
