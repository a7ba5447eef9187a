"""A world with a job for each step of a cycle, some of which are bad."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import pytest

from local_sagemaker.state_machine import machine
from local_sagemaker.state_machine.job import find_pool
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job_state import JobState
from scheduler.core.reconciliation.reconciliation_state import BudgetScope
from scheduler.core.reconciliation.unmanaged_job import GuardMode, UnmanagedJob
from scheduler.ports.job_store import TRAINING_EVENTS, JobStores
from simulation.cycle.bad_job_calls import Calls
from support.account.simulated_queue import ADA, PREEMPTS_AT_ONCE, SimulatedQueue, request
from support.builders.pool_rules import pool_rules
from support.builders.rules import a_rule, rule_set

GOODS = ("good-1", "good-2", "good-crash", "good-late")
MINUTES = 30
#: Budgets: the good jobs have a type of their own, and so has each bad job, so that none waits for another.
TYPES: Mapping[str, tuple[str, int]] = {
    "good": ("ml.m5.large", 4),
    "crash": ("ml.c5n.xlarge", 1),
    "victim": ("ml.c5.xlarge", 1),
    "pool": ("ml.c5.2xlarge", 1),
    "reuse": ("ml.c5.4xlarge", 1),
    "big": ("ml.g5.12xlarge", 1),
    "small": ("ml.g5.4xlarge", 4),
    "lost": ("ml.c5.9xlarge", 1),
    "adopted": ("ml.c5.18xlarge", 1),
    "wide": ("ml.c4.8xlarge", 4),
    "evicted": ("ml.c4.xlarge", 2),
    "cancelled": ("ml.c4.2xlarge", 1),
    "blind": ("ml.m4.xlarge", 1),
    "silent": ("ml.m4.2xlarge", 1),
    "unparked": ("ml.c4.4xlarge", 1),
    "array": ("ml.m4.4xlarge", 1),
}
BUDGET = ",".join(f"{kind}={count}" for kind, count in TYPES.values())
Timeline = list[dict[str, tuple[JobState, int, int]]]


def kind_of(role: str) -> str:
    return TYPES[role][0]


@dataclass
class World(SimulatedQueue):
    def _check_invariants(self) -> None:
        """Checks no budget: a bad job whose calls fail keeps its instances while the budget shrinks."""

    def _deliver(self, event: dict[str, Any]) -> None:
        """Loses all events about one job."""
        if not event["detail"]["TrainingJobName"].startswith("bad-silent"):
            super()._deliver(event)


def a_world(calls: Calls) -> SimulatedQueue:
    pools = [rule for role in ("pool", "reuse", "blind") for rule in pool_rules(kind_of(role), "reuse", keep="30m")]
    world = World(
        budget=BUDGET,
        guard=GuardMode.STOP,
        scope=BudgetScope.ACCOUNT,
        crashing={"bad-crash", "good-crash"},
        durations={
            **dict.fromkeys(["bad-pool", "bad-reuse", "bad-blind", "bad-lost", "good-crash"], 120.0),
            **dict.fromkeys(["bad-low", "bad-evicted-1", "bad-evicted-2", "bad-cancelled", "bad-holder"], 9000.0),
            "bad-theirs": 9000.0,
        },
        configuration={
            "policy": PREEMPTS_AT_ONCE | {"notice": "2m"},
            "pools": pools,
            "retries": {"treatments": {"user": {"retries": 2, "delay": "0s"}}},
            "rules": rule_set(a_rule("instances_per_job", most=4)),
        },
    )
    services = world.scheduler.services
    world.scheduler = replace(
        world.scheduler,
        services=replace(
            services,
            stores=JobStores(*(calls.wrap(field.name, world.store) for field in fields(JobStores))),
            training=_wrapped_training(services.training, calls),
            admission=calls.wrap("admission", services.admission),
            notifier=calls.wrap("notifier", services.notifier),
            logs=calls.wrap("logs", services.logs),
            unmanaged_jobs=calls.wrap("unmanaged_jobs", services.unmanaged_jobs),
            stop_objects=calls.wrap("stop_objects", services.stop_objects),
        ),
    )
    return world


def _wrapped_training(training: Any, calls: Calls) -> Any:
    training._inner = calls.wrap("training", training._inner)  # behind the rate limits
    return training


def keeping(world: SimulatedQueue, name: str, role: str, **more: Any) -> None:
    resources = request(name, kind=kind_of(role))["ResourceConfig"] | {"KeepAlivePeriodInSeconds": 1800, **more}
    world.submit(name, ResourceConfig=resources)


def begin(world: SimulatedQueue) -> None:
    for name in ("bad-crash", *GOODS[:3]):
        world.submit(name, 9 if name.startswith("bad") else 0, kind=kind_of("crash" if "bad" in name else "good"))
    world.submit("bad-low", kind=kind_of("victim"))
    keeping(world, "bad-pool", "pool")
    keeping(world, "bad-reuse", "reuse")
    keeping(world, "bad-blind", "blind")
    world.submit("bad-silent", kind=kind_of("silent"))
    preferences = [{"InstanceType": kind_of(role), "InstanceCount": TYPES[role][1]} for role in ("big", "small")]
    world.submit("bad-prefers", ResourceConfig={"InstancePreferences": preferences, "VolumeSizeInGB": 1})
    world.submit("bad-lost", kind=kind_of("lost"))
    world.submit("bad-adopted", kind=kind_of("adopted"))
    world.submit("bad-holder", kind=kind_of("wide"))
    for number in (1, 2):
        world.submit(f"bad-evicted-{number}", kind=kind_of("evicted"))
    world.submit("bad-cancelled", kind=kind_of("cancelled"))
    world.submit_array("bad-array", 2, kind=kind_of("array"))


def forget_an_attempt(world: SimulatedQueue) -> None:
    """Restores one job as it was before its launch: SageMaker's list has its attempt."""
    world.store.attempts.pop("bad-adopted-sq-1", None)
    job = world.job("bad-adopted")
    status = replace(job.status, state=JobState.HELD, attempts=0, history=())
    world.store.jobs["bad-adopted"] = replace(job, status=status)


def move_an_attempt(world: SimulatedQueue) -> None:
    """Moves the attempt that left a pool out of its job's record, as later attempts would."""
    job = world.job("bad-pool")
    for ended in job.status.history:
        moved = replace(job.status, history=(), earlier=job.status.earlier.plus(ended))
        world.store.jobs["bad-pool"] = replace(job, status=moved)
        world.store.ended_attempts["bad-pool"] = {(ended.number, ended.ended_at): ended}


def acknowledge(world: SimulatedQueue) -> None:
    """Lets the program that was asked to save answer, unless it was not asked."""
    asked = json.loads(world.stop_objects.requests.get("bad-low-sq-1", b"{}"))
    content = {"attempt": "bad-low-sq-1", "step": 7, "saved_at": world.clock.now().isoformat(), "uploaded": True}
    acknowledgement = json.dumps(content | {"stop_asked_at": asked.get("asked_at")}).encode()
    world.stop_objects.acknowledgements["bad-low-sq-1"] = acknowledgement


def submit_an_urgent_job(world: SimulatedQueue) -> None:
    """Submits it once its victim's program has reported a save: only then it is asked for another."""
    acknowledge(world)
    world.submit("bad-urgent", 9, kind=kind_of("victim"))


def park_for_the_budget(world: SimulatedQueue) -> None:
    set_budget(world, "unparked", 2)
    world.submit("bad-unparked", kind=kind_of("unparked"), instances=2)
    set_budget(world, "unparked", 1)


def start_on_no_pool(find: Callable[..., Any], body: dict[str, Any], jobs: Any) -> Any:
    """Lets SageMaker start one job on new instances, although a pool fits."""
    return None if body["TrainingJobName"].startswith("bad-blind") else find(body, jobs)


def start_outside(world: SimulatedQueue) -> None:
    theirs = request("bad-theirs", kind="ml.c6i.xlarge", instances=4)
    world.client.create_training_job(**theirs | {"Tags": [{"Key": "owner", "Value": "eve"}]})
    # One that SageMaker no longer knows, or does not know yet: its check decides nothing.
    world.foreign.add_unchecked(UnmanagedJob("bad-unknown", world.clock.now()), by=TRAINING_EVENTS)


def set_budget(world: SimulatedQueue, role: str, count: int) -> None:
    text = ",".join(f"{kind}={count if kind == kind_of(role) else most}" for kind, most in TYPES.values())
    controls = replace(world.store.read(), budget=Budget.parse(text), stop_over_budget=True)
    world.store.write(controls, by="api")


ACTS: Mapping[int, Callable[[SimulatedQueue], None]] = {
    0: begin,
    3: submit_an_urgent_job,
    4: acknowledge,
    5: lambda world: world.submit("bad-wide", kind=kind_of("wide"), instances=4),
    6: forget_an_attempt,
    7: move_an_attempt,
    8: lambda world: keeping(world, "bad-next", "pool", VolumeSizeInGB=2),
    9: lambda world: keeping(world, "bad-reuser", "reuse"),
    10: lambda world: keeping(world, "bad-blinder", "blind"),
    11: lambda world: world.configure(rules=rule_set(a_rule("instances_per_job", most=3))),
    12: start_outside,
    13: lambda world: set_budget(world, "evicted", 1),
    14: lambda world: cancel(world, "bad-cancelled"),
    15: lambda world: world.submit("good-late", kind=kind_of("good")),
    17: park_for_the_budget,
    20: lambda world: set_budget(world, "unparked", 2),
}


def cancel(world: SimulatedQueue, name: str) -> None:
    if not world.job(name).is_finished:
        world.control.cancel(name, ADA)


def play(calls: Calls) -> Timeline:
    """Returns the good jobs' states, attempts and ended attempts after each minute."""
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(machine, "find_pool", partial(start_on_no_pool, find_pool))
        world = a_world(calls)
        timeline: Timeline = []
        for minute in range(MINUTES):
            if minute in ACTS:
                ACTS[minute](world)
            world.run(60)
            goods = {name: job for name, job in world.store.jobs.items() if name in GOODS}
            timeline.append(
                {
                    name: (job.status.state, job.status.attempts, len(job.status.history))
                    for name, job in sorted(goods.items())
                }
            )
    return timeline
