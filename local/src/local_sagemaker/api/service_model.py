"""SageMaker's own description of its API, as botocore ships it."""

from functools import cache

import botocore.session
from botocore.model import OperationModel, ServiceModel


@cache
def service_model() -> ServiceModel:
    return botocore.session.Session().get_service_model("sagemaker")


@cache
def operation_model(operation: str) -> OperationModel:
    return service_model().operation_model(operation)
