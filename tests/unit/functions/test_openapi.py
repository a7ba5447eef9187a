"""docs/openapi.json is up to date with the code."""

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

import pytest
from openapi.bodies import ChangeFilter, ConfigFile, JobOptions, ListQuery
from openapi.document import PATH, document, text
from openapi.operations import OPERATIONS

from api.handler import ROUTES
from api.jobs.filters import FILTERS
from scheduler.core.jobs.job import JobOptions as OptionsOfJob
from scheduler.core.jobs.start_conditions import JobDependencies, JobTimes
from scheduler.core.requests.options import SubmissionOptions
from scheduler.core.sections.schema import ConfigKind
from scheduler.errors.refusals import BadRequest
from scheduler.errors.wrong_state import WrongJobState

#: Only kinds of these are ever raised.
GROUPS = {WrongJobState}


def kinds_of(kind: type[BadRequest]) -> Iterator[type[BadRequest]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from kinds_of(narrower)


@cache
def documented_refusals() -> frozenset[tuple[str, str]]:
    return frozenset(_documented_refusals())


def _documented_refusals() -> Iterator[tuple[str, str]]:
    for methods in document()["paths"].values():
        for operation in methods.values():
            for status, response in operation["responses"].items():
                for shape in _shapes(response["content"]["application/json"]["schema"]):
                    yield from ((status, code) for code in shape.get("properties", {}).get("error", {}).get("enum", ()))


def _shapes(schema: dict[str, Any]) -> list[dict[str, Any]]:
    shapes: list[dict[str, Any]] = schema.get("anyOf", [schema])
    return shapes


def test_the_committed_document_is_the_code_s() -> None:
    assert PATH.read_text() == text(), "make openapi writes it anew"


def test_every_operation_has_a_route() -> None:
    assert OPERATIONS.keys() == ROUTES.keys()


@pytest.mark.parametrize("kind", [kind for kind in kinds_of(BadRequest) if kind not in GROUPS])
def test_every_refusal_of_the_code_is_documented(kind: type[BadRequest]) -> None:
    assert (str(kind.status), kind.code) in documented_refusals()


def test_the_document_has_every_kind_of_section() -> None:
    assert {*ConfigFile.__annotations__} == {*ConfigKind}
    assert document()["components"]["schemas"]["ConfigKind"]["enum"] == [*ConfigKind]


def test_the_document_has_the_options_and_filters_of_the_code() -> None:
    assert JobOptions.__annotations__.keys() == {
        option.name for kind in (OptionsOfJob, SubmissionOptions, JobTimes, JobDependencies) for option in fields(kind)
    } - {"of_job", "times", "dependencies", "arrays", "models"}
    assert ChangeFilter.__annotations__.keys() == set(FILTERS)
    assert ListQuery.__annotations__.keys() == {*FILTERS, "limit", "next"}
