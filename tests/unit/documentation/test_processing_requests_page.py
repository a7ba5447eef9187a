"""docs/reference/processing-requests.md says what the queue does with each member of a processing job's request."""

import re
from collections.abc import Iterator

from botocore.loaders import Loader
from botocore.model import ListShape, ServiceModel, Shape, StructureShape

from scheduler.core.requests.processing import reading
from support.checkout import CHECKOUT

PAGE = CHECKOUT / "docs" / "reference" / "processing-requests.md"
#: Members whose own members have rows.
OPENED = {
    "ProcessingInputs",
    "ProcessingOutputConfig",
    "ProcessingResources",
    "ProcessingResources.ClusterConfig",
}


def members(shape: Shape | None, above: str = "") -> Iterator[str]:
    shape = shape.member if isinstance(shape, ListShape) else shape
    assert isinstance(shape, StructureShape)
    for name, member in shape.members.items():
        path = above + name
        if path in OPENED:
            yield from members(member, f"{path}.")
        else:
            yield path


def rows() -> list[tuple[str, str]]:
    return re.findall(r"^\| `([\w.]+)` \| (\w+) \|", PAGE.read_text(), re.MULTILINE)


def test_the_page_has_a_row_for_each_member_of_sagemakers_model() -> None:
    model = ServiceModel(Loader().load_service_model("sagemaker", "service-2"))
    assert [path for path, _ in rows()] == [*members(model.operation_model("CreateProcessingJob").input_shape)]
    assert {treatment for _, treatment in rows()} == {"honoured", "passed", "refused"}


def test_the_refused_members_are_those_that_the_queue_refuses() -> None:
    refused = {path.rpartition(".")[2] for path, treatment in rows() if treatment == "refused"}
    assert refused == {*reading.CHOSEN_BY_SAGEMAKER, "DatasetDefinition"}
