"""The walk of docs/contribute/walks.md through a cycle names files in which a cycle really runs."""

from typing import Any

import pytest

from local_sagemaker.simulation import Workload
from support.account import account
from support.account.account import Account
from support.account.simulated_queue import request
from support.faults.call_faults import NoFaults
from support.walks import visited_files, walks


def test_a_cycle_that_launches_a_job_runs_in_each_file_of_its_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    visited: set[str] = set()

    def watched(event: Any, context: Any) -> Any:
        with visited_files() as files:
            try:
                return handle(event, context)
            finally:
                visited.update(files)

    handle = account.FUNCTIONS["schedule"]
    monkeypatch.setattr(account, "FUNCTIONS", {**account.FUNCTIONS, "schedule": watched})
    world = Account(NoFaults(), course=lambda _: Workload(trains=600))
    try:
        world.ask("POST", "/add-job", request("job"))
        world.run(10)
        assert world.ask("GET", "/jobs/job").body["state"] == "running"
    finally:
        world.close()
    assert [file for file in walks()["One cycle"] if file not in visited] == []
