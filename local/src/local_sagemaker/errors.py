"""Defines the emulator's errors: SageMaker's answers (with code, text and HTTP status), and the failures of jobs.

The texts are SageMaker's own, because some callers match them.
"""


class JobError(Exception):
    """The job lacks a resource, or requests an unsupported feature. The text becomes its failure reason."""


class AwsError(Exception):
    """The service refused a request."""

    def __init__(self, code: str, message: str, http_status: int = 400) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.http_status = http_status


def invalid(message: str) -> AwsError:
    return AwsError("ValidationException", message)


def not_found() -> AwsError:
    """Returns a ValidationException, although the API's model declares ResourceNotFound for this case."""
    return invalid("Requested resource not found.")


def in_status(status: str) -> AwsError:
    return invalid(f"The request was rejected because the training job is in status {status}.")


def name_taken(arn: str) -> AwsError:
    return AwsError(
        "ResourceInUse",
        "Training job names must be unique within an AWS account and region, and a training job with this name already "
        f"exists ({arn})",
    )


def tuning_job_not_found(name: str) -> AwsError:
    return AwsError("ResourceNotFound", f"Amazon SageMaker can't find a tuning job called {name}. Type another name.")


def tuning_in_status(status: str) -> AwsError:
    return invalid(f"The request was rejected because the hyperparameter tuning job is in status {status}.")


def tuning_name_taken(name: str) -> AwsError:
    return AwsError(
        "ResourceInUse",
        f"A hyperparameter tuning job with the name, {name}, already exists. Choose a different name.",
    )


def processing_job_not_found(name: str) -> AwsError:
    return invalid(f"Could not find requested job with name: {name}")


def processing_in_status(status: str) -> AwsError:
    return invalid(f"The request was rejected because the processing job is in status {status}.")


def processing_name_taken(arn: str) -> AwsError:
    return AwsError(
        "ResourceInUse",
        f"Job name must be unique within an AWS account and region, and a job with this name already exists ({arn})",
    )


def limit_exceeded(quota: str, limit: int, used: int, requested: int) -> AwsError:
    return AwsError(
        "ResourceLimitExceeded",
        f"The account-level service limit '{quota}' is {limit} Instances, with current utilization of {used} Instances "
        f"and a request delta of {requested} Instances. Please use AWS Service Quotas to request an increase for this "
        "quota. If AWS Service Quotas is not available, contact AWS support to request an increase for this quota.",
    )


def not_offered(instance_type: str, usage: str) -> AwsError:
    resource = "processing-job" if usage == "processing job" else "training-job"
    return AwsError(
        "ResourceLimitExceeded",
        f"The requested resource {resource}/{instance_type} is not available in this region",
    )


def throttled() -> AwsError:
    return AwsError("ThrottlingException", "Rate exceeded")


def unknown_operation(name: str) -> AwsError:
    return AwsError(
        "UnknownOperationException",
        f"The local SageMaker runs only pipelines, and training, tuning and processing jobs: it has no {name!r}.",
    )


def unreadable(message: str) -> AwsError:
    return AwsError("SerializationException", message)
