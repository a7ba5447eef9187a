"""Runs a small soak: up to sixty jobs while calls fail, events are lost and the emulator is killed."""

from pathlib import Path

import boto3
import pytest

from soak.course import Load, an_account, soak
from soak.job_requests import BUDGET

#: The drain ends with the last job. It may take long enough for the sweeps of a busy machine, which find lost events.
SMALL = Load(jobs=60, load_seconds=30, drain_seconds=600, restarts=((0.5, "emulator killed"),))


@pytest.mark.e2e
def test_nothing_is_lost_and_the_budget_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)  # it has the credentials of earlier tests
    with an_account(tmp_path) as account:
        for name, value in account.env().items():
            monkeypatch.setenv(name, value)
        outcome = soak(account, SMALL, announce=print)
    assert outcome.is_good, str(outcome)
    assert outcome.met["emulator killed"] == 1
    # The machine's speed decides how many jobs are accepted in time. More jobs than instances: so some had to wait.
    assert sum(outcome.ends.values()) > sum(BUDGET.values())
