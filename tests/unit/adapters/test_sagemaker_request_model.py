"""The character sets of SageMaker's model, which are written for Java, in Python."""

from collections.abc import Iterator

import pytest
from botocore.model import ListShape, MapShape, Shape, StructureShape

from scheduler.adapters.aws.sagemaker.request_model import _compiled, _create_shape
from scheduler.core.jobs.work.kind import WorkKind


def shapes_in(shape: Shape) -> Iterator[Shape]:
    yield shape
    if isinstance(shape, StructureShape):
        for member in shape.members.values():
            yield from shapes_in(member)
    elif isinstance(shape, ListShape):
        yield from shapes_in(shape.member)
    elif isinstance(shape, MapShape):
        yield from shapes_in(shape.key)
        yield from shapes_in(shape.value)


@pytest.mark.parametrize("kind", WorkKind)
def test_python_understands_each_pattern_of_a_create_request(kind: WorkKind) -> None:
    patterns = {shape.metadata["pattern"] for shape in shapes_in(_create_shape(kind)) if "pattern" in shape.metadata}
    assert len(patterns) > 10
    for pattern in patterns:
        assert r"\p" not in _compiled(pattern).pattern, pattern


def test_a_catalog_of_athena_may_have_characters_beyond_the_basic_plane() -> None:
    pattern = _compiled(r"[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\t]*")
    assert pattern.fullmatch("catalog \U0001f600")
    assert not pattern.fullmatch("line\nline")
