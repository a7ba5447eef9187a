"""The use of instances over time: held, free and waited for, by type and team, with preemptions and budgets."""

from datetime import datetime, timedelta
from typing import Any

from sagequeue.contract.queue import PastBudget
from sagequeue.reports.report import NONE
from sagequeue.reports.usage import MOST_GROUPS, OTHERS, Past, Steps, usage
from unit.sagequeue.builders.history import GPU, a_change, a_run, at
from unit.sagequeue.builders.jobs import a_job, an_attempt

#: Six hours in steps of one.
STEPS = Steps(datetime.fromisoformat(at(6)), timedelta(hours=1), 6)


def _usage(*changes: Any, by: str = "type", **more: Any) -> dict[str, Any]:
    known: dict[str, Any] = {"unfinished": (), "pools": (), "budgets": ()}
    return {**usage(Past(changes, **{**known, **more}), by, STEPS)}


def _series(found: dict[str, Any], kind: str, group: str = GPU) -> list[float]:
    (one,) = (line for line in found["groups"] if line["name"] == group)
    series: list[float] = one[kind]
    return series


def test_an_ended_attempt_waited_and_held_its_instances() -> None:
    run = a_run(begin=8, end=10.5, waited_since=at(7.5), instances={GPU: 4})
    found = _usage(a_change(run=run))
    assert _series(found, "waiting") == [0, 2, 0, 0, 0, 0]
    assert _series(found, "held") == [0, 0, 4, 4, 2, 0]
    assert (found["begin"], found["step_seconds"], found["steps"]) == ("2026-11-21T06:00:00+00:00", 3600, 6)


def test_an_attempt_counts_once_and_only_within_the_time() -> None:
    run = a_run(begin=5, end=7, waited_since=at(1))
    assert _series(_usage(a_change(run=run), a_change(version=1, run=run)), "held") == [1, 0, 0, 0, 0, 0]
    assert _usage(a_change(run=a_run(begin=1, end=2)))["groups"] == []


def test_a_warm_pool_holds_its_instances_after_the_attempt() -> None:
    run = a_run(begin=7, end=8, waited_since=at(7), retained_seconds=5400)
    assert _series(_usage(a_change(run=run)), "held") == [0, 1, 1, 0.5, 0, 0]
    pool: Any = {"job": "resnet", "instances": {GPU: 2}, "since": at(10), "lent_to": None}
    assert _series(_usage(pools=[pool]), "held") == [0, 0, 0, 0, 2, 2]
    assert _usage(pools=[{**pool, "lent_to": "other-sq-1"}])["groups"] == []


def test_a_running_job_holds_its_instances_until_now() -> None:
    attempts = [
        an_attempt(1, "preempted", reserved_at=at(7), ended_at=at(8)),
        an_attempt(2, reserved_at=at(9), ended_at=None),
    ]
    found = _usage(unfinished=[a_job("running", attempts=attempts, submitted_at=at(1), team="vision")], by="team")
    assert _series(found, "waiting", "vision") == [0, 0, 1, 0, 0, 0]
    assert _series(found, "held", "vision") == [0, 0, 0, 1, 1, 1]


def test_a_waiting_job_waits_until_now_and_a_held_one_until_it_was_held() -> None:
    jobs = [a_job(submitted_at=at(9)), a_job("held", name="b", submitted_at=at(9), updated_at=at(10.5))]
    assert _series(_usage(unfinished=jobs), "waiting") == [0, 0, 0, 2, 1.5, 1]


def test_of_preferences_one_is_waited_for() -> None:
    job = a_job(submitted_at=at(6), instances={GPU: 1, "ml.p4d.24xlarge": 1}, preferences=[GPU, "ml.p4d.24xlarge"])
    assert [group["name"] for group in _usage(unfinished=[job])["groups"]] == [GPU]


def test_a_job_that_was_cancelled_while_it_waited_has_waited() -> None:
    cancelled: dict[str, Any] = {
        "state": "stopped",
        "done": [{"kind": "cancelled", "by": "ada"}],
        "submitted_at": at(7),
    }
    assert _series(_usage(a_change(changed_at=at(9), **cancelled)), "waiting") == [0, 1, 1, 0, 0, 0]
    assert _usage(a_change(state="stopped", submitted_at=at(7), changed_at=at(9)))["groups"] == []


def test_time_on_hold_or_after_a_cancellation_is_no_wait() -> None:
    run = a_run(begin=11, end=11.5, waited_since=at(6))
    history = [
        a_change(version=1, state="held", changed_at=at(7), done=[{"kind": "held", "by": "ada"}]),
        a_change(version=2, state="pending", changed_at=at(8), done=[{"kind": "released", "by": "ada"}]),
        a_change(version=3, state="stopped", changed_at=at(9), done=[{"kind": "cancelled", "by": "ada"}]),
        a_change(version=4, state="pending", changed_at=at(10), done=[{"kind": "requeued", "by": "ada"}]),
        a_change(version=5, state="completed", changed_at=at(11.5), run=run),
    ]
    assert _series(_usage(*history), "waiting") == [1, 0, 1, 0, 1, 0]


def test_a_job_released_in_this_time_was_on_hold_before() -> None:
    released = a_change(version=4, state="pending", changed_at=at(9), done=[{"kind": "released", "by": "ada"}])
    assert _series(_usage(released, unfinished=[a_job(submitted_at=at(1))]), "waiting") == [0, 0, 0, 1, 1, 1]


def _budget(hour: float, counts: dict[str, int], by: str | None = None) -> PastBudget:
    return {"begins": at(hour), "budget": counts, "source": "operator" if by else "calendar", "changed_by": by}


def test_the_limit_of_each_type_follows_the_budgets() -> None:
    budgets = [_budget(6, {GPU: 4}), _budget(8.5, {GPU: 2, "ml.m5.large": 1}, by="ada"), _budget(9, {GPU: 2})]
    found = _usage(budgets=budgets)
    assert _series(found, "limit") == [4, 4, 3, 2, 2, 2]
    assert _series(found, "limit", "ml.m5.large") == [0, 0, 0.5, 0, 0, 0]
    assert found["marks"] == [
        {"at": at(8.5), "kind": "budget", "job": None, "by": "ada", "instances": {GPU: 2, "ml.m5.large": 1}},
        {"at": at(9), "kind": "budget", "job": None, "by": "calendar", "instances": {"ml.m5.large": 0}},
    ]
    assert "limit" not in _usage(a_change(run=a_run(begin=7, end=8)), by="team", budgets=budgets)["groups"][0]


def test_preemptions_are_marked_with_their_beneficiary() -> None:
    preempted: dict[str, Any] = {"done": [{"kind": "preempted", "by": "queue"}], "stopped_for": "urgent"}
    found = _usage(a_change(changed_at=at(7), **preempted), a_change("b", changed_at=at(5), **preempted))
    assert found["marks"] == [
        {"at": at(7), "kind": "preemption", "job": "resnet", "by": "urgent", "instances": {GPU: 1}}
    ]


def test_many_groups_are_added_up_in_one() -> None:
    changes = [
        a_change(f"job-{number}", team=f"team-{number:02}", run=a_run(begin=7, end=8, waited_since=at(7)))
        for number in range(MOST_GROUPS + 3)
    ]
    found = _usage(*changes, a_change("alone", run=a_run(begin=7, end=9, waited_since=at(7))), by="team")
    names = [group["name"] for group in found["groups"]]
    assert (len(names), names[0], names[-1]) == (MOST_GROUPS + 1, NONE, OTHERS)
    assert _series(found, "held", OTHERS) == [0, 4, 0, 0, 0, 0]
