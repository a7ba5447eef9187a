"""SageMaker's own description of its API, as botocore ships it: inputs, shapes and error codes."""

from functools import cache

import botocore.session
from botocore.model import ServiceModel, Shape


@cache
def service_model() -> ServiceModel:
    return botocore.session.Session().get_service_model("sagemaker")


@cache
def input_shape(operation: str) -> Shape | None:
    return service_model().operation_model(operation).input_shape


@cache
def search_members() -> frozenset[str]:
    """Returns the members of a training job that Search knows; Describe has more."""
    return frozenset(service_model().shape_for("TrainingJob").members)  # type: ignore[attr-defined] # it is a structure


def declares_error(code: str) -> bool:
    """Returns whether the model declares the error, unlike the common errors of AWS services."""
    return code in service_model().shape_names
