"""What SageMaker says of a warm pool."""

from attrs import frozen


@frozen
class PoolObservation:
    is_held: bool  # its instances are there, for nobody else
    reused_by: str = ""  # the training job that took it over
    retained_seconds: int = 0  # billed while nobody used it: for each of its instances


GONE = PoolObservation(is_held=False)
