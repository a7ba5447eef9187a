"""A soak in small: sixty jobs on a deployed account while calls fail, events are lost and the emulator is killed."""

from pathlib import Path

import boto3
import pytest

from soak.course import Load, an_account, soak

#: Nothing here leaves a lease behind: the calm is for a sweep that repairs what lost events left, and for the next one.
SMALL = Load(jobs=60, storm_seconds=20, calm_seconds=130, restarts=((0.5, "emulator killed"),))


@pytest.mark.e2e
def test_nothing_is_lost_and_the_budget_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)  # it remembers the credentials of the tests before
    with an_account(tmp_path) as account:
        for name, value in account.env().items():
            monkeypatch.setenv(name, value)
        outcome = soak(account, SMALL, announce=print)
    assert outcome.is_good, str(outcome)
    assert outcome.met["emulator killed"] == 1
    assert sum(outcome.ends.values()) >= SMALL.jobs / 2
