import pytest
from botocore.exceptions import ClientError

from local_sagemaker.conformance.requests import a_request
from local_sagemaker.simulation import Simulation


@pytest.mark.parametrize(
    ("operation", "rate"),
    [("create_training_job", 1), ("stop_training_job", 1), ("describe_training_job", 5), ("list_training_jobs", 2)],
)
def test_calls_above_the_rate_are_throttled(operation: str, rate: int) -> None:
    simulation = Simulation()
    call = getattr(simulation.client(), operation)
    parameters = {"create_training_job": a_request(), "list_training_jobs": {}}.get(operation, {"TrainingJobName": "x"})
    for _ in range(rate):
        try_to(call, parameters)
    with pytest.raises(ClientError, match=r"\(ThrottlingException\).*Rate exceeded"):
        call(**parameters)
    simulation.run(1)
    assert try_to(call, parameters) != "ThrottlingException"


def try_to(call: object, parameters: dict[str, object]) -> str:
    """Returns the code of the error that the call raises, or an empty text."""
    assert callable(call)
    try:
        call(**parameters)
    except ClientError as error:
        return error.response["Error"]["Code"]
    return ""
