"""What all tiers share."""

import gc

from hypothesis import settings

# No test is judged by the clock: a busy machine is not a bug.
settings.register_profile("without deadlines", deadline=None)
settings.load_profile("without deadlines")


def pytest_collection_finish() -> None:
    """What is loaded by now stays: looking through it for garbage takes a sixth of the time of a simulated world."""
    gc.freeze()
