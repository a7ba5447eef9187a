"""Plants defects: while a faulty part replaces a part of the product, a property has to fail."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import Phase, settings

#: Where the defect is planted, the name that it replaces, and the defect.
Defect = tuple[object, str, Any]
#: A property, and a defect that it finds.
Planted = tuple[Callable[..., None], Defect]

#: Accepts the first example that fails, however large, and tries the same examples each time.
FIRST_FAILURE = settings(
    phases=[Phase.generate],
    max_examples=2000,
    database=None,
    derandomize=True,
    deadline=None,
    report_multiple_bugs=False,
)


def expect_failure(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plants the defect, and expects the property to fail."""
    a_property, (where, what, defect) = planted
    monkeypatch.setattr(where, what, defect)
    # Hypothesis has no public way to run a finished test with other settings.
    monkeypatch.setattr(a_property, "_hypothesis_internal_use_settings", FIRST_FAILURE)
    with pytest.raises(AssertionError):
        a_property()
