"""Owners are notified of each fact at least once, and repeats have the same id, whatever fails on the way."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from local_sagemaker.simulation import Workload
from scheduler.core.jobs.job_state import JobState
from support.account.account import Account
from support.account.processes import Process
from support.account.simulated_queue import PREEMPTS_AT_ONCE, request
from support.faults.call_faults import Fate
from support.simulation.runs.crash_points import OneFault

_ALL_MOMENTS = {"queue:notify": "start+end+preemption"}
_ON_SPOT: dict[str, Any] = {
    "EnableManagedSpotTraining": True,
    "StoppingCondition": {"MaxRuntimeInSeconds": 86_400, "MaxWaitTimeInSeconds": 90_000},
}
#: Of the jobs without the tag, only the failure is reported: operators chose that kind.
_FACTS = {
    *((kind, "low") for kind in ("started", "preempted", "resumed", "completed")),
    *((kind, "spot") for kind in ("started", "interrupted", "completed")),
    ("failed", "broken"),
}
_FATES = (Fate.FAILS, Fate.IS_THROTTLED, Fate.LOSES_ANSWER, Fate.DIES_AFTER)
#: Lambda repeats a failed batch more often (template.yaml).
_MOST_TRIES = 3


@dataclass
class ColdStarts(OneFault):
    """No call remembers what an earlier one has sent."""

    is_cold: bool = True

    def is_cold_start(self) -> bool:
        return self.is_cold


@pytest.fixture(scope="module")
def account() -> Iterator[Account]:
    """A queue in which one job was preempted, one lost its spot instances, and one failed."""
    account = Account(
        ColdStarts(is_cold=False),
        course=lambda body: Workload(trains=1800, exit_code=int(body["TrainingJobName"].startswith("broken"))),
        configuration={"policy": PREEMPTS_AT_ONCE, "notices": {"owners": ["failed"]}},
    )
    account.ask("POST", "/add-job", request("low", 0, tags=_ALL_MOMENTS))
    account.ask("POST", "/add-job", request("spot", 5, tags=_ALL_MOMENTS, **_ON_SPOT))
    account.run(300)
    account.simulation.interrupt("spot-sq-1")
    account.run(120)
    account.ask("POST", "/add-job", request("high", 9))
    account.ask("POST", "/add-job", request("broken", 0))
    account.run(4 * 3600)
    yield account
    account.close()


def deliver(account: Account, *, stays_warm: bool = False) -> list[dict[str, Any]]:
    """Delivers all records of the stream as one batch until the function succeeds. Returns the notices sent.

    If the function stays warm, a repeated call remembers what the call before has sent.
    """
    account.monitoring.notices.clear()
    plan = account.fault_plan
    assert isinstance(plan, ColdStarts)
    for number in range(_MOST_TRIES):
        plan.is_cold = number == 0 or not stays_warm
        ended: list[Process] = []
        account.invoke("history", {"Records": account.function_calls.history_records}, "history", ended.append)
        while not ended:
            account.step()
        if ended[0].error is None:
            break
    else:
        raise AssertionError(ended[0].error)
    calls = map(json.loads, account.monitoring.notices)
    return [json.loads(json.loads(call["Message"])["sqs"]) for call in calls]


def facts(sent: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(notice["kind"], notice["job"]) for notice in sent}


def test_each_fact_is_sent_once_if_nothing_fails(account: Account) -> None:
    sent = deliver(account)
    assert facts(sent) == _FACTS
    assert len(sent) == len(_FACTS)
    assert [action["kind"] for action in account.ask("GET", "/jobs/spot").body["actions"]] == ["interrupted"]
    assert account.ask("GET", "/jobs/low").body["state"] == JobState.COMPLETED


@pytest.mark.parametrize("stays_warm", [False, True])
@pytest.mark.parametrize("fate", _FATES)
def test_each_fact_is_sent_at_least_once_whichever_call_fails(
    account: Account, fate: Fate, *, stays_warm: bool
) -> None:
    plan = account.fault_plan
    assert isinstance(plan, ColdStarts)
    plan.fate = fate
    undisturbed, first = deliver(account), account.service_calls.count
    deliver(account)
    repeats = 0
    for offset in range(1, account.service_calls.count - first + 1):
        plan.at = account.service_calls.count + offset
        sent = deliver(account, stays_warm=stays_warm)
        assert facts(sent) == _FACTS, f"call {offset}"
        assert {notice["id"]: notice for notice in sent} == {notice["id"]: notice for notice in undisturbed}
        repeats += len(sent) > len(_FACTS)
    # Only a call whose answer is lost makes a warm function send a notice twice.
    assert repeats or (stays_warm and fate in {Fate.FAILS, Fate.IS_THROTTLED})
