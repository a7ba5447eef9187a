"""Each owner gets one digest a day, whatever fails on the way, and a repeated digest has the same id."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from local_sagemaker.simulation import Workload
from scheduler.adapters.aws.notices.sns_notices import WEBHOOK
from scheduler.adapters.dynamodb.digests import DIGESTS, DynamoDBDigestStore
from scheduler.core.history.digests.period import DigestPeriod
from scheduler.core.history.notices import Notice
from scheduler.cycle import digests
from scheduler.cycle.digests import Digests
from simulation.jobs.test_notices import ColdStarts, Sent, deliver, endpoint, sqs_message
from support.account.account import Account
from support.account.function_calls import ADA, BOB
from support.account.simulated_queue import PREEMPTS_AT_ONCE, request
from support.faults.call_faults import Call, Fate, Verdict
from support.https.sink import HOST, Sink
from webhooks.handler import handle as send_webhooks

__all__ = ["endpoint"]  # a fixture

_HOUR = 3600
_HOOK = f"https://{HOST}/digests"
_FATES = (Fate.FAILS, Fate.IS_THROTTLED, Fate.LOSES_ANSWER, Fate.DIES_AFTER)
_SEND = Digests._send
#: The two messages of one digest then take longer than a sweep has for digests.
_SLOW = 21.0
#: A failed sweep is repeated a minute later.
_MOST_SWEEPS = 4
#: All sessions of the callers' roles.
_SCIENTISTS, _INTERNS = (caller.rpartition("/")[0] + "/all-sessions" for caller in (ADA, BOB))
#: The lines of the owners' digests, without times and amounts.
_FACTS = {
    _SCIENTISTS: {
        "Completed: 2 (quick; done).",
        "Failed: 1 (broken: user).",
        "Attempts: preempted 1, resumed 1.",
        "Running now: 1 (low).",
    },
    _INTERNS: {"Completed: 1 (high).", "Running now: 1 (long).", "On hold: 1."},
}


@pytest.fixture(scope="module")
def account() -> Iterator[Account]:
    """A queue in which the digests of two owners are due."""
    long = ("low", "long")
    account = Account(
        ColdStarts(is_cold=False),
        course=lambda body: Workload(
            trains=10 * 24 * _HOUR if body["TrainingJobName"].startswith(long) else 300,
            exit_code=int(body["TrainingJobName"].startswith("broken")),
        ),
        parameters={"WebhookHosts": HOST},
    )
    due_at = datetime.fromtimestamp(account.now + 2 * _HOUR, UTC)
    account.configure(
        policy=PREEMPTS_AT_ONCE,
        notices={
            "owners": ["digest"],
            "webhooks": [{"url": _HOOK, "owners": ["role/Scientist", "role/Intern"], "kinds": ["digest"]}],
            "digest_hour": due_at.hour,
        },
    )
    of_bob = partial(account.ask, "POST", "/add-job", caller=BOB)
    limits: dict[str, Any] = {"StoppingCondition": {"MaxRuntimeInSeconds": 20 * 24 * _HOUR}}
    of_bob(request("long", 5, **limits))
    account.ask("POST", "/add-job", request("low", 0, **limits))
    account.run(120)
    of_bob(request("high", 9))
    of_bob(request("later", 0, tags={"queue:hold": "true"}))
    for name in ("quick", "done", "broken"):
        session = ADA.replace("/ada", f"/botocore-session-{name}")
        account.ask("POST", "/add-job", request(name, 3), caller=session)
    start_of_hour = due_at.replace(minute=0, second=0).timestamp()
    account.run(start_of_hour - account.now - 60)
    deliver(account)
    account.run(start_of_hour + 660 - account.now)
    yield account
    account.close()


def send_digests(account: Account) -> Sent:
    """Sends the last period's digests as if none had been sent, in as many sweeps as it takes."""
    plan = account.fault_plan
    assert isinstance(plan, ColdStarts)
    plan.calls.clear()
    for key in [key for key in account.table.items if key[0].startswith(DIGESTS)]:
        account.table.write(key, None)
    account.monitoring.notices.clear()
    plan.is_cold = True
    for _ in range(_MOST_SWEEPS):
        account.run(60)
        if any(key[1] == "FINISHED" for key in account.table.items if key[0].startswith(DIGESTS)):
            break
    else:
        raise AssertionError(account.trace[-40:])
    calls = [json.loads(call) for call in account.monitoring.notices]
    messages = [sqs_message(call, number) for number, call in enumerate(calls)]
    to_webhooks = [message for message in messages if WEBHOOK in message["messageAttributes"]]
    return Sent([json.loads(message["body"]) for message in messages if message not in to_webhooks], to_webhooks)


def facts(sent: Sent) -> dict[str, set[str]]:
    return {
        notice["owner"]: {line for line in notice["reason"].splitlines()[1:] if not line.startswith("Used")}
        for notice in sent.notices
    }


def test_each_owner_gets_one_digest_a_day(account: Account) -> None:
    sent = send_digests(account)
    assert facts(sent) == _FACTS
    assert len(sent.notices) == len(sent.messages) == len(_FACTS)
    day = f"{datetime.fromtimestamp(account.now, UTC):%Y-%m-%d}"
    assert sent.by_id().keys() == {f"{day}/{owner}/digest" for owner in _FACTS}
    account.monitoring.notices.clear()
    account.run(_HOUR)
    assert account.monitoring.notices == []


@pytest.mark.parametrize("fate", _FATES)
def test_each_digest_is_sent_at_least_once_whichever_call_fails(account: Account, fate: Fate) -> None:
    assert repeats_of_digests(account, fate)


@pytest.mark.parametrize("defect", ["marks before it sends", "never marks", "has another id each time"])
def test_a_planted_defect_is_found(account: Account, defect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def marks_first(self: Digests, notice: Notice, period: DigestPeriod) -> bool:
        self.store.add_sent(period, notice.owner)
        return bool(_SEND(self, notice, period))

    def has_another_id(self: Digests, notice: Notice, period: DigestPeriod) -> bool:
        return bool(_SEND(self, replace(notice, id=f"{notice.id}/{account.now}"), period))

    match defect:
        case "marks before it sends":
            monkeypatch.setattr(Digests, "_send", marks_first)
        case "has another id each time":
            monkeypatch.setattr(Digests, "_send", has_another_id)
        case "never marks":
            monkeypatch.setattr(DynamoDBDigestStore, "finish", lambda *_: None)
    with pytest.raises(AssertionError):
        repeats_of_digests(account, Fate.FAILS)


def repeats_of_digests(account: Account, fate: Fate) -> int:
    """Sends the digests once for each call, which meets the fault. Returns how often a digest was repeated."""
    plan = account.fault_plan
    assert isinstance(plan, ColdStarts)
    plan.fate, plan.at = fate, 0
    undisturbed = send_digests(account)
    first = plan.calls[0].number
    offsets = [call.number - first for call in calls_about_digests(plan.calls)]
    repeats = 0
    for offset in offsets:
        plan.at = account.service_calls.count + 1 + offset
        sent = send_digests(account)
        assert facts(sent) == _FACTS, f"call {offset}"
        assert sent.by_id().keys() == undisturbed.by_id().keys()
        assert sent.to_webhooks() == undisturbed.to_webhooks()
        repeats += len(sent.notices) > len(_FACTS)
    assert len(offsets) > 3 * len(_FACTS)
    return repeats


def test_a_digest_that_sns_refuses_does_not_delay_other_owners(account: Account) -> None:
    plan = account.fault_plan
    assert isinstance(plan, ColdStarts)
    plan.fate, plan.at = Fate.FAILS, 0
    first, second = [notice["owner"] for notice in send_digests(account).notices]
    publish = next(call.number for call in plan.calls if call.operation == "Publish") - plan.calls[0].number
    plan.at = account.service_calls.count + 1 + publish
    assert [notice["owner"] for notice in send_digests(account).notices] == [second, first]


def test_the_next_sweep_continues_where_the_time_ended(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(_plan: ColdStarts, call: Call) -> Verdict:
        return Verdict(takes=_SLOW if call.operation == "Publish" else 0.02)

    with monkeypatch.context() as patched:
        patched.setattr(ColdStarts, "verdict_on", slowly)
        began, sent = account.now, send_digests(account)
    assert facts(sent) == _FACTS
    assert len(sent.notices) == len(_FACTS)
    assert account.now - began > 60


def test_sweeps_that_overlap_send_each_digest_once(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(_plan: ColdStarts, call: Call) -> Verdict:
        return Verdict(takes=10.0 if call.operation == "Publish" else 0.02)

    account.run(30)  # the next sweep then starts with the patches
    with monkeypatch.context() as patched:
        patched.setattr(ColdStarts, "verdict_on", slowly)
        patched.setattr(ColdStarts, "sweep_arrivals", lambda _: (0.0, 5.0))
        sent = send_digests(account)
    assert facts(sent) == _FACTS
    assert len(sent.notices) == len(_FACTS)


def test_digests_that_no_sweep_could_send_are_reported_once(
    account: Account, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_digests(account)
    for key in [key for key in account.table.items if key[0].startswith(DIGESTS) and key[1] != "SENDING"]:
        account.table.write(key, None)
    monkeypatch.setattr(digests, "_LOST_AFTER", timedelta())
    account.run(180)  # each sweep in a new process
    assert [record.message for record in caplog.records].count("lost digests") == 1


def calls_about_digests(calls: Sequence[Call]) -> Sequence[Call]:
    """Returns the calls from the first to the last read or write of the records about sent digests."""
    about = [index for index, call in enumerate(calls) if DIGESTS in call.about]
    return calls[about[0] : about[-1] + 1]


def test_an_https_endpoint_gets_each_digest_under_the_same_id(account: Account, endpoint: Sink) -> None:
    sent = send_digests(account)
    messages = [*sent.messages, *({**one, "messageId": f"again-{one['messageId']}"} for one in sent.messages)]
    assert send_webhooks({"Records": messages}, None) == {"batchItemFailures": []}
    received = [json.loads(one.body) for one in endpoint.received]
    assert len(received) == 2 * len(_FACTS)
    assert {notice["id"]: notice for notice in received} == sent.by_id()
