"""SNS errors after which a notice is not tried again."""

from typing import Any

import pytest
from botocore.exceptions import ClientError
from botocore.session import get_session

from scheduler.adapters.aws.notices.sns_notices import may_pass

#: Errors that SNS blames on the caller, and that may nevertheless pass.
TEMPORARY = {"KMSThrottling"}


def _errors_of_the_caller() -> set[str]:
    model = get_session().get_service_model("sns")
    shapes: list[Any] = [
        shape for call in ("Publish", "Subscribe") for shape in model.operation_model(call).error_shapes
    ]
    return {shape.metadata["error"]["code"] for shape in shapes if shape.metadata["error"].get("senderFault")}


@pytest.mark.parametrize("code", sorted(_errors_of_the_caller() | {"InternalError", "Throttling"}))
def test_an_error_of_the_caller_is_final(code: str) -> None:
    is_final = code in _errors_of_the_caller() - TEMPORARY
    assert may_pass(ClientError({"Error": {"Code": code}}, "Publish")) is not is_final
