"""What all tiers share."""

from pathlib import Path

import pytest
from hypothesis import settings

END_TO_END = Path(__file__).parent / "e2e"

# No test is judged by the clock: a busy machine is not a bug.
settings.register_profile("without deadlines", deadline=None)
settings.load_profile("without deadlines")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Two processes share the files; all that use the deployed local account stay in one, for there is one account."""
    for item in items:
        shared = "e2e" if END_TO_END in item.path.parents else item.path.stem
        item.add_marker(pytest.mark.xdist_group(shared))
