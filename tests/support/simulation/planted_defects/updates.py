"""Defects in the changes to jobs after their submission."""

import pytest

from scheduler.core.requests import attempt_request


def send_the_submitted_limit(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(attempt_request, "with_time_limit", lambda request, _: request)
