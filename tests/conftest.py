"""Configures Hypothesis, botocore and garbage collection for all tiers."""

import gc
from functools import cache

from botocore.loaders import JSONFileLoader
from hypothesis import settings

# No test is judged by the clock: a busy machine is not a bug.
settings.register_profile("without deadlines", deadline=None)
settings.load_profile("without deadlines")

# Each session of boto3 reads the models of its services anew, and most tests with moto have a session of their own.
_model_at = cache(JSONFileLoader().load_file)
JSONFileLoader.load_file = lambda _self, path: _model_at(path)  # type: ignore[assignment, method-assign]


def pytest_collection_finish() -> None:
    """What is loaded by now stays: looking through it for garbage takes a sixth of the time of a simulated world."""
    gc.freeze()
