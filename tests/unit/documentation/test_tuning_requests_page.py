"""docs/reference/tuning-requests.md says what the queue does with each member of a request for a tuning job."""

import re
from collections.abc import Iterator

from botocore.loaders import Loader
from botocore.model import ServiceModel, Shape, StructureShape

from support.checkout import CHECKOUT

PAGE = CHECKOUT / "docs" / "reference" / "tuning-requests.md"
#: Members whose own members have rows.
OPENED = {
    "HyperParameterTuningJobConfig",
    "HyperParameterTuningJobConfig.ResourceLimits",
    "TrainingJobDefinition",
    "WarmStartConfig",
}


def members(shape: Shape | None, above: str = "") -> Iterator[str]:
    assert isinstance(shape, StructureShape)
    for name, member in shape.members.items():
        path = above + name
        if path in OPENED:
            yield from members(member, f"{path}.")
        else:
            yield path


def test_the_page_has_a_row_for_each_member_of_sagemakers_model() -> None:
    model = ServiceModel(Loader().load_service_model("sagemaker", "service-2"))
    rows = re.findall(r"^\| `([\w.]+)` \| (\w+) \|", PAGE.read_text(), re.MULTILINE)
    assert [path for path, _ in rows] == [*members(model.operation_model("CreateHyperParameterTuningJob").input_shape)]
    assert {treatment for _, treatment in rows} == {"honoured", "passed"}
