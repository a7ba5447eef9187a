"""Reports agree with what SageMaker ran, to the second."""

from datetime import UTC, datetime
from itertools import pairwise
from random import Random
from typing import Any, cast

import pytest

from local_sagemaker.simulation import Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from local_sagemaker.state_machine.job import Status, TrainingJob
from sagequeue.contract.history import Change
from sagequeue.reports.report import Report, report
from scheduler.core.jobs.reason import ReasonCode
from support.account.account import Account
from support.account.simulated_queue import PREEMPTS_AT_ONCE, request
from support.faults.call_faults import NoFaults
from support.simulation.judges.history import changes, deliver, heads_written

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
_END = datetime(2100, 1, 1, tzinfo=UTC)
_PRICES = {"ml.m5.large": 0.115}
_SECONDS = {"job1": 3600.5, "job2": 1800.25, "job3": 600.0, "job4": 7200.75, "broken": 90.5}


@pytest.fixture(scope="module")
def account() -> Any:
    """The four jobs of the README, one of them preempted, and one whose script fails."""
    account = Account(
        NoFaults(),
        behaviour=Behaviour(startup=lambda _: 20.0),
        course=_course,
        parameters={"EventBus": "default"},
        configuration={"policy": PREEMPTS_AT_ONCE},
    )
    account.monitoring.is_on = True
    try:
        for name, priority in [("job1", 1), ("job2", 2), ("job3", 1), ("job4", 3), ("broken", 0)]:
            tags = {"project": name[:3]}
            assert account.ask("POST", "/add-job", request(name, priority, tags=tags)).status == 201
            account.run(300)
        account.run(8 * 3600)
        deliver(account, Random(1))  # noqa: S311 - a world, not a secret
        yield account
    finally:
        account.close()


def _course(body: dict[str, Any]) -> Workload:
    name = body["TrainingJobName"].rsplit("-sq-", 1)[0]
    return Workload(trains=_SECONDS[name], exit_code=name == "broken")


def _report(account: Account, by: str) -> Report:
    return report(cast(list[Change], changes(account)), by, _BEGIN, _END, _PRICES)


def _ran(account: Account, *statuses: Status) -> list[TrainingJob]:
    return [job for job in account.simulation.machine.jobs.values() if not statuses or job.status in statuses]


def _trained(jobs: list[TrainingJob]) -> float:
    return sum(cast(float, job.ended_at) - cast(float, job.started_at) for job in jobs)


def test_the_seconds_of_a_report_are_those_of_sagemaker(account: Account) -> None:
    total = _report(account, "team").total
    assert total.runs == len(_ran(account)) == 6
    assert total.trained == pytest.approx(_trained(_ran(account)), abs=1)
    assert total.preempted == pytest.approx(_trained(_ran(account, Status.STOPPED)), abs=1)
    assert total.failed == pytest.approx(_trained(_ran(account, Status.FAILED)), abs=1)
    assert min(total.preempted, total.failed) > 0


def test_what_is_billed_is_what_sagemaker_says(account: Account) -> None:
    total = _report(account, "team").total
    assert total.billable == sum(round(job.billed_seconds) for job in _ran(account)) > 0
    assert total.unbilled_runs == 0


def test_the_cost_is_the_billed_time_at_the_applied_price(account: Account) -> None:
    total, hourly = _report(account, "team").total, _PRICES["ml.m5.large"]
    assert total.cost == pytest.approx(sum(round(job.billed_seconds) for job in _ran(account)) * hourly / 3600)
    wasted = sum(round(job.billed_seconds) for job in _ran(account, Status.STOPPED, Status.FAILED))
    assert total.wasted_at_most == pytest.approx(wasted * hourly / 3600)
    assert total.unpriced_runs == 0


def test_a_job_shows_the_same_costs_as_its_report(account: Account) -> None:
    for name, line in _report(account, "job").lines.items():
        cost = account.ask("GET", f"/jobs/{name}").body["cost"]
        assert (cost["dollars"], cost["final"]) == (pytest.approx(line.cost, abs=1e-5), True), name
        assert cost["wasted_dollars_at_most"] == pytest.approx(line.wasted_at_most, abs=1e-5), name


def test_a_job_waited_until_sagemaker_had_its_attempt(account: Account) -> None:
    submitted = {change["job"]: change["submitted_at"] for change in changes(account)}
    for name, line in _report(account, "job").lines.items():
        created = sorted(job.created_at for job in _ran(account) if job.name.startswith(name))
        ended = sorted(cast(float, job.ended_at) for job in _ran(account) if job.name.startswith(name))
        begun = [datetime.fromisoformat(submitted[name]).timestamp(), *ended]
        waited = sum(start - since for start, since in zip(created, begun, strict=False))
        assert line.waited == pytest.approx(waited, abs=2 * len(created)), name  # SageMaker creates one a second


def test_the_parts_are_the_whole(account: Account) -> None:
    for by in ("owner", "type", "day", "job", "tag:project"):
        found = _report(account, by)
        assert sum(line.trained for line in found.lines.values()) == pytest.approx(found.total.trained), by


def test_the_metrics_of_what_happened_are_those_of_the_report(account: Account) -> None:
    """Though the stream's records came twice."""
    flow, total = account.monitoring.flow, _report(account, "team").total
    assert len(flow.launch_waits) == total.runs == 6
    assert sum(flow.launch_waits) == pytest.approx(total.waited, abs=1)
    assert flow.preemptions == total.preemptions == 1
    assert flow.lost_instance_seconds == pytest.approx(total.lost_at_most)


def test_the_gauges_are_what_sagemaker_held(account: Account) -> None:
    used = {gauges.used["ml.m5.large"] for gauges in account.monitoring.gauges}
    assert used == {0, 1, 2}
    assert all(gauges.used["ml.m5.large"] + gauges.free["ml.m5.large"] == 2 for gauges in account.monitoring.gauges)
    assert max(gauges.queued_jobs for gauges in account.monitoring.gauges) == 3  # job1 gave way; job3 and broken
    last = account.monitoring.gauges[-1]
    assert (last.queued_jobs, last.oldest_wait) == (0, 0.0)


def test_a_preemption_begins_and_ends_once(account: Account) -> None:
    told = {(event["version"], one) for event in account.monitoring.events for one in event["about"]}
    begun = sorted(one for _, one in told if one.startswith("preemption"))
    assert begun == ["preemption_finished", "preemption_started"]


def test_each_new_head_is_reported_once_with_its_reason(account: Account) -> None:
    written = heads_written(account)
    assert ("job1", ReasonCode.WAITS_FOR_BUDGET) in written
    assert written[-1] == (None, None)
    assert all(before != after for before, after in pairwise(written))
    told = {(head["job"], (head["reason"] or {}).get("code")) for head in account.monitoring.heads}
    assert told == {*written}


def test_nothing_is_missing(account: Account) -> None:
    assert _report(account, "team").missing == 0


def test_the_history_names_the_beneficiary_of_a_stop(account: Account) -> None:
    stopped = [change for change in changes(account) if change["stopped_for"]]
    assert {(change["job"], change["stopped_for"]) for change in stopped} == {("job1", "job4")}
