"""Types as JSON schemas, which refer to each other by name."""

from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

Schema = dict[str, Any]
_PLACE = "#/components/schemas/"


class Schemas:
    """Collects what a document refers to."""

    def __init__(self) -> None:
        self.components: dict[str, Schema] = {}

    def of(self, kind: Any) -> Schema:
        """A reference to the type's schema, or the schema itself where the type has no name."""
        schema = TypeAdapter(kind).json_schema(
            ref_template=_PLACE + "{model}", schema_generator=_Untitled, mode="serialization"
        )
        self.components |= schema.pop("$defs", {})
        if "properties" not in schema:
            return schema
        self.components[kind.__name__] = schema
        return {"$ref": _PLACE + kind.__name__}


class _Untitled(GenerateJsonSchema):
    """Without titles, which would repeat each name."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - pydantic passes it
        return False

    def generate(self, schema: Any, mode: Any = "serialization") -> JsonSchemaValue:
        made = super().generate(schema, mode)
        for known in (made, *made.get("$defs", {}).values()):
            known.pop("title", None)
        return made
