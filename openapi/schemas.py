"""Generates JSON schemas for types. Schemas refer to each other by name."""

from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

Schema = dict[str, Any]
_REFERENCE = "#/components/schemas/"


class Schemas:
    """Collects the schemas that a document refers to."""

    def __init__(self) -> None:
        self.components: dict[str, Schema] = {}

    def of(self, kind: Any) -> Schema:
        """Returns a reference to the type's schema, or the schema itself if the type is not an object."""
        schema = TypeAdapter(kind).json_schema(
            ref_template=_REFERENCE + "{model}", schema_generator=_Untitled, mode="serialization"
        )
        self.components |= schema.pop("$defs", {})
        if "properties" not in schema:
            return schema
        self.components[kind.__name__] = schema
        return {"$ref": _REFERENCE + kind.__name__}


class _Untitled(GenerateJsonSchema):
    """Generates schemas without titles, which would repeat each name."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - pydantic passes it
        return False

    def generate(self, schema: Any, mode: Any = "serialization") -> JsonSchemaValue:
        made = super().generate(schema, mode)
        for known in (made, *made.get("$defs", {}).values()):
            known.pop("title", None)
        return made
