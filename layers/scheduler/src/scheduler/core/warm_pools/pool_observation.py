"""What SageMaker says of a warm pool."""

from attrs import frozen


@frozen
class PoolSighting:
    is_held: bool  # its instances are there, for nobody else
    reused_by: str = ""  # the training job that took it over
    retained_seconds: int = 0  # billed while nobody used it: for each of its instances


GONE = PoolSighting(is_held=False)
