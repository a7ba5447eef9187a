"""Why an attempt failed, as far as that decides what to do next."""

from enum import StrEnum


class FailureClass(StrEnum):
    CAPACITY = "capacity"  # SageMaker had no instances to give
    INTERNAL = "internal"  # SageMaker's own error
    SPOT = "spot"  # spot instances did not come, or went too often
    HARDWARE = "hardware"  # a broken GPU, a broken link between hosts
    OUT_OF_MEMORY = "out_of_memory"
    DATA = "data"  # its input is not there
    USER = "user"  # its script or its request
    UNKNOWN = "unknown"
