"""Whatever the queue accepts, the emulator of SageMaker accepts: as it was sent, and as each attempt may change it.

The two have no code in common. REQUEST_BODIES and REQUEST_SEED set how many bodies are generated, and which.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from local_sagemaker.api.protocol import answer
from local_sagemaker.state_machine.behaviour import Behaviour
from local_sagemaker.state_machine.machine import StateMachine
from scheduler.core.jobs.job import Job
from scheduler.core.requests.alternatives import expand_alternatives
from scheduler.core.requests.attempt_request import attempt_request
from scheduler.core.requests.options import read_options
from scheduler.core.requests.service_rules.table import RULES
from scheduler.errors.refusals import BadRequest
from scheduler.queue.submission import Submission
from support.account.simulated_queue import ADA, SimulatedQueue
from support.builders.jobs import an_attempt
from support.builders.pool_rules import the_pool_rules
from support.requests.generated import a_body
from support.requests.wrong import GPU, LARGE

BODIES, SEED = int(os.environ.get("REQUEST_BODIES", "2000")), int(os.environ.get("REQUEST_SEED", "1"))
ALTERNATIVES = [
    {"request": {"EnableManagedSpotTraining": False}},
    {"request": {"EnableManagedSpotTraining": True}},
    {"request": {"StoppingCondition": {"MaxRuntimeInSeconds": 7200}}},
    {"request": {"ResourceConfig": {"InstanceType": GPU, "InstanceCount": 1}}},
    {"request": {"ResourceConfig": {"KeepAlivePeriodInSeconds": 600}}},
]
POOLS = [the_pool_rules(kind, use, keep="60m") for kind in (LARGE, GPU) for use in ("reuse", "hold")]


@pytest.fixture(scope="module")
def queue() -> SimulatedQueue:
    return SimulatedQueue(f"{LARGE}=4,{GPU}=4")


def test_the_emulator_accepts_what_the_queue_accepts_and_makes_of_it(queue: SimulatedQueue) -> None:
    chance, seen = Random(SEED), Counter[str]()  # noqa: S311 - repeatable bodies
    print(f"{BODIES} bodies of REQUEST_SEED={SEED}")
    for number in range(BODIES):
        body = a_body(chance)
        options = {"alternatives": [chance.choice(ALTERNATIVES)]} if chance.random() < 0.3 else {}
        try:
            job, _ = queue.queue.preview(Submission(body, options), ADA)
        except BadRequest:
            seen["refused"] += 1
            continue
        seen["accepted"] += 1
        for sent in (body, *sent_for(job, body, options)):
            assert refusal_of(sent) is None, f"body {number} of REQUEST_SEED={SEED}: {json.dumps(sent)}"
            seen["sent"] += 1
    print(dict(seen))
    assert min(seen["refused"], seen["accepted"]) > BODIES / 10


def test_the_emulator_refuses_what_breaks_a_rule_of_the_table() -> None:
    chance, broken = Random(SEED), Counter[str]()  # noqa: S311 - repeatable bodies
    for number in range(BODIES):
        body = a_body(chance)
        try:
            rules = [rule.message for rule in RULES if list(rule.breaches(body))]
        except (AttributeError, KeyError, TypeError, IndexError):
            continue  # the body is damaged: only the model's own check can refuse it
        broken.update(rules)
        if rules:
            assert refusal_of(body), f"body {number} of REQUEST_SEED={SEED} breaks {rules}: {json.dumps(body)}"
    assert {rule.message for rule in RULES} - broken.keys() == set()


def sent_for(job: Job, body: dict[str, Any], options: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the request of each attempt that the queue may make: another choice, on demand, kept, in one subnet."""
    requests = expand_alternatives(body, read_options(body, options).alternatives)
    for option, request in zip(job.each_choice, requests, strict=True):
        for on_demand in {False, option.spec.spot}:
            chosen = replace(option, nonce="nonce", status=replace(option.status, on_demand=on_demand))
            for keep_alive in {None, *(rules.keep_alive(chosen) for rules in POOLS)}:
                for subnet in {"", *option.spec.subnets}:
                    attempt = an_attempt(chosen, keep_alive=keep_alive, subnet=subnet)
                    yield attempt_request(request, chosen, attempt)


def refusal_of(body: dict[str, Any]) -> str | None:
    """Returns the emulator's refusal of the body, or None."""
    reply = answer(StateMachine(Behaviour()), "SageMaker.CreateTrainingJob", json.dumps(body).encode(), 0)
    return None if reply.status == 200 else json.loads(reply.body)["message"]
