"""Owners are notified of each fact at least once, and repeats have the same id, whatever fails on the way."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from local_sagemaker.simulation import Workload
from scheduler.adapters.aws.notices.signing_secret import SigningSecret
from scheduler.adapters.aws.notices.sns_notices import WEBHOOK
from scheduler.adapters.aws.system_clock import SystemClock
from scheduler.core.jobs.job_state import JobState
from scheduler.wiring import webhooks
from support.account.account import Account
from support.account.processes import Process
from support.account.simulated_queue import PREEMPTS_AT_ONCE, request
from support.builders.rules import a_rule, rule_set
from support.faults.call_faults import Fate
from support.https.sink import HOST, Received, Sink, sink
from support.simulation.runs.crash_points import OneFault
from webhooks.handler import handle as send_webhooks

_ALL_MOMENTS = {"queue:notify": "start+end+preemption"}
_ON_SPOT: dict[str, Any] = {
    "EnableManagedSpotTraining": True,
    "StoppingCondition": {"MaxRuntimeInSeconds": 86_400, "MaxWaitTimeInSeconds": 90_000},
}
#: Of the jobs without the tag, only the failure and the missing approval are reported: operators chose these kinds.
_FACTS = {
    *((kind, "low") for kind in ("started", "preempted", "resumed", "completed")),
    *((kind, "spot") for kind in ("started", "interrupted", "completed")),
    ("failed", "broken"),
    ("approval", "large"),
}
_HOOKS = (f"https://{HOST}/first", f"https://{HOST}/second")
_ALL = {"owners": ["*"], "kinds": ["failed", "approval"]}
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
        parameters={"WebhookHosts": HOST},
        configuration={
            "policy": PREEMPTS_AT_ONCE,
            "rules": rule_set(a_rule("approval", name="large", above_instances=1)),
            "notices": {"owners": ["failed", "approval"], "webhooks": [{"url": url, **_ALL} for url in _HOOKS]},
        },
    )
    account.ask("POST", "/add-job", request("large", 9, instances=2))
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


@dataclass(frozen=True)
class Sent:
    notices: list[dict[str, Any]]  # to subscribers of the topic, such as an SQS queue
    messages: list[dict[str, Any]]  # to the webhook queue

    def by_id(self) -> dict[str, dict[str, Any]]:
        return {notice["id"]: notice for notice in self.notices}

    def to_webhooks(self) -> set[tuple[str, str]]:
        """Returns the ids of the notices to each webhook."""
        found = ((message["messageAttributes"][WEBHOOK], json.loads(message["body"])) for message in self.messages)
        return {(url["stringValue"], notice["id"]) for url, notice in found}


def deliver(account: Account, *, stays_warm: bool = False) -> Sent:
    """Delivers all records of the stream as one batch until the function succeeds. Returns what it sent.

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
    calls = [json.loads(call) for call in account.monitoring.notices]
    messages = [sqs_message(call, number) for number, call in enumerate(calls)]
    of_webhooks = [message for message in messages if WEBHOOK in message["messageAttributes"]]
    return Sent([json.loads(message["body"]) for message in messages if message not in of_webhooks], of_webhooks)


def sqs_message(call: dict[str, Any], number: int) -> dict[str, Any]:
    """Returns a call of SNS as a queue without an envelope delivers it to a function."""
    attributes = {name: {"stringValue": value["StringValue"]} for name, value in call["MessageAttributes"].items()}
    body = json.loads(call["Message"])["sqs"]
    return {"messageId": str(number), "body": body, "messageAttributes": attributes}


def facts(sent: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(notice["kind"], notice["job"]) for notice in sent}


def test_each_fact_is_sent_once_if_nothing_fails(account: Account) -> None:
    sent = deliver(account)
    assert facts(sent.notices) == _FACTS
    assert sent.to_webhooks() == {(url, notice) for url in _HOOKS for notice in sent.by_id()}
    assert (len(sent.notices), len(sent.messages)) == (len(_FACTS), len(_HOOKS) * len(_FACTS))
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
        assert facts(sent.notices) == _FACTS, f"call {offset}"
        assert sent.by_id() == undisturbed.by_id()
        assert sent.to_webhooks() == undisturbed.to_webhooks()
        repeats += len(sent.notices) > len(_FACTS)
    # Only a call whose answer is lost makes a warm function send a notice twice.
    assert repeats or (stays_warm and fate in {Fate.FAILS, Fate.IS_THROTTLED})


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sink]:
    """An HTTPS endpoint on loopback that receives the webhooks."""
    client = SimpleNamespace(get_secret_value=lambda **_: {"SecretString": "secret"})
    monkeypatch.setattr(webhooks, "signing_secret", lambda: SigningSecret(client, "arn", SystemClock()))
    webhooks.sender.cache_clear()
    with sink() as found:
        monkeypatch.setattr(webhooks, "network", found.network)
        yield found
    webhooks.sender.cache_clear()


@pytest.mark.parametrize("first_answer", [204, 500, 301, None])  # None: the answer to a notice that arrived is lost
def test_an_https_endpoint_gets_each_fact_and_repeats_have_the_same_id(
    account: Account, endpoint: Sink, first_answer: int | None
) -> None:
    calls: Counter[tuple[str, str]] = Counter()

    def answer(request: Received) -> int | None:
        call = (f"https://{request.host}{request.path}", request.headers["SageQueue-Notice"])
        calls[call] += 1
        return first_answer if calls[call] == 1 else 204

    endpoint.answer = answer
    sent = deliver(account)
    waiting = [*sent.messages, *({**one, "messageId": f"again-{one['messageId']}"} for one in sent.messages)]
    for _ in range(_MOST_TRIES):  # SNS and SQS deliver each message twice, and SQS repeats what failed
        failures = send_webhooks({"Records": waiting}, None)["batchItemFailures"]
        failed = {failure["itemIdentifier"] for failure in failures}
        waiting = [message for message in waiting if message["messageId"] in failed]
    assert waiting == []
    received = [json.loads(request.body) for request in endpoint.received]
    assert facts(received) == _FACTS
    assert {notice["id"]: notice for notice in received} == sent.by_id()
    assert calls.keys() == sent.to_webhooks()
    assert all(count >= 2 for count in calls.values())
