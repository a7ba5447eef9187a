"""A plan of a new configuration predicts what the next cycle does with it, if nothing happens in between."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scheduler.config.change_plan import ChangePlans
from scheduler.config.editor import ConfigEditor
from scheduler.config.prediction import Decision, DecisionKind
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.refusals import BadRequest
from scheduler.queue.submission import Submission
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.builders.callers import ACCOUNT, an_entry

TYPES = ("ml.m5.large", "ml.g5.xlarge")
OWNERS = (ADA, f"arn:aws:iam::{ACCOUNT}:user/bob", f"arn:aws:iam::{ACCOUNT}:user/eve")
MOST = 3  # instances of each type
#: No job ends during a test.
FOREVER = 10**7

_RULES: Sequence[dict[str, Any]] = (
    {"kind": "instances_per_job", "most": 2},
    {"kind": "priority_ceiling", "at_most": 4},
    {"kind": "max_runtime", "at_most": "86000s"},
    {"kind": "required_tags", "tags": {"project": {}}},
)
_KEPT: Mapping[str, dict[str, Any]] = {
    "off": {},
    "reuse": {"keep": "1h"},
    "hold": {"keep": "1h", "dollars": 100},
}


@given(random=st.randoms(use_true_random=True))
def test_a_plan_predicts_the_next_cycle_and_changes_nothing(random: Random) -> None:
    keeps_pools = random.random() < 0.5
    world = a_world(random, keeps_pools=keeps_pools)
    reader = world.queue.snapshot_reader
    editor = ConfigEditor(reader.configuration, world.clock)
    change = editor.change(json.dumps(some_sections(random, keeps_pools=keeps_pools)))
    records = world.store.copy()
    predicted = ChangePlans(reader, world.store, world.queue.admission, "sq").plan(change)
    assert world.store == records
    is_applied = random.random() < 0.7
    if is_applied:
        editor.apply(change, ADA)
    assert done_in_one_cycle(world) == by_kind(predicted.after if is_applied else predicted.before)


def a_world(random: Random, *, keeps_pools: bool) -> SimulatedQueue:
    """Jobs come while cycles run. Before the last ones, SageMaker has reported all, and no cycle has work left."""
    early = {f"early-{number}": a_submission(random, 2) for number in range(random.randint(1, 8))}
    durations = {name: random.choice([120.0, FOREVER]) for name in early}
    world = SimulatedQueue(budget=",".join(f"{kind}={MOST}" for kind in TYPES), durations=durations)
    world.configure(pools=some_pools(random) if keeps_pools else [], policy=a_policy(random))
    for name, submission in early.items():
        submit(world, name, *submission)
        world.run(random.choice([0, 60]))
    world.run(600)
    world.configure(**some_sections(random, keeps_pools=keeps_pools))
    settle(world)
    for number in range(random.randint(0, 6)):
        submit(world, f"late-{number}", *a_submission(random, 8))
    return world


def settle(world: SimulatedQueue) -> None:
    for _ in range(30):
        before = (dict(world.store.jobs), dict(world.store.attempts), dict(world.store.warm_pools))
        world.cycle(sweep=True)
        if before == (world.store.jobs, world.store.attempts, world.store.warm_pools):
            return
    raise AssertionError("the cycles never come to rest")


def some_sections(random: Random, *, keeps_pools: bool) -> dict[str, Any]:
    drawn = {
        "rules": some_rules,
        "policy": a_policy,
        "shares": some_shares,
        "callers": some_callers,
        "calendar": a_calendar,
        # What SageMaker bills for a pool is known when it ends: no limit counts it in these worlds.
        **({"pools": some_pools} if keeps_pools else {"spending": some_limits}),
    }
    return {kind: draw(random) for kind, draw in drawn.items() if random.random() < 0.35}


def some_rules(random: Random) -> dict[str, Any]:
    chosen = random.sample(_RULES, random.randint(0, 2))
    modes = ["enforce", "enforce", "warn"]
    return {"rules": [{"name": f"rule-{n}", "mode": random.choice(modes), **rule} for n, rule in enumerate(chosen)]}


def a_policy(random: Random) -> dict[str, Any]:
    return {
        "ordering": random.choice(["fifo", "shortest"]),
        "patience": random.choice(["0s", "0s", "1d"]),
        "protected_run_time": random.choice(["0s", "0s", "1d"]),
        "preemptions_per_job": random.choice([0, 2, 2]),
        "running_per_owner": random.choice([0, 0, 2]),
    }


def some_shares(random: Random) -> dict[str, Any]:
    quota = random.choice([{}, {TYPES[0]: 1}])
    return {
        "red": {"members": [OWNERS[0]], "weight": random.choice([1, 3]), "quota": quota},
        "blue": {"members": random.sample(OWNERS[1:], random.randint(1, 2))},
    }


def some_callers(random: Random) -> list[dict[str, Any]]:
    owners = random.sample(OWNERS, random.randint(1, 3))
    limited: dict[str, Any] = random.choice([{}, {"priority_ceiling": 4}, {"instance_types": [TYPES[0]]}])
    return [an_entry(*owners, name="some", verbs=("submit", "control_own"), **limited)]


def a_calendar(random: Random) -> dict[str, Any]:
    begins = random.choice(["2025-12-31", "2026-01-02"])  # the worlds begin between them
    budget = {kind: random.randint(0, MOST) for kind in TYPES}
    window = {"name": "window", "budget": budget, "begins": begins, "ends": "2026-01-09", "drain": "0s"}
    return {"excess": random.choice(["finish", "preempt", "stop"]), "windows": [window]}


def some_pools(random: Random) -> list[dict[str, Any]]:
    uses = {kind: random.choice([*_KEPT]) for kind in TYPES}
    return [{"instance_type": kind, "use": use, **_KEPT[use]} for kind, use in uses.items()]


def some_limits(random: Random) -> dict[str, Any]:
    limit = {"name": "limit", "dollars": random.choice([0.01, 100]), "owner": random.choice(["*", "user/ada"])}
    return {"time_zone": "UTC", "limits": [{**limit, "then": random.choice(["hold", "stop"])}]}


def a_submission(random: Random, highest: int) -> tuple[dict[str, Any], list[dict[str, Any]], str]:
    """Draws a request without its name, the alternatives, and the owner."""
    resources: dict[str, Any] = {
        "InstanceType": random.choice(TYPES),
        "InstanceCount": random.randint(1, 3),
        "VolumeSizeInGB": 1,
    }
    members = {
        "priority": random.randint(0, highest),
        "ResourceConfig": {**resources, **random.choice([{}, {"KeepAlivePeriodInSeconds": 3600}])},
        "StoppingCondition": {"MaxRuntimeInSeconds": random.choice([3600, 86_400, 10**6])},
        "tags": random.choice([{}, {"project": "x"}]),
    }
    smaller = {"request": {"ResourceConfig": {**resources, "InstanceCount": 1}}}
    choices = [[], [], [smaller]] if resources["InstanceCount"] > 1 else [[]]
    return members, random.choice(choices), random.choice(OWNERS)


def submit(
    world: SimulatedQueue, name: str, members: dict[str, Any], alternatives: list[dict[str, Any]], owner: str
) -> None:
    options = {"alternatives": alternatives} if alternatives else {}
    with suppress(BadRequest):  # refused by a rule, or a permission
        world.queue.submit(Submission(request(name, **members), options), owner)


def by_kind(decisions: Iterable[Decision]) -> dict[DecisionKind, set[str]]:
    found: dict[DecisionKind, set[str]] = {kind: set() for kind in DecisionKind}
    for decision in decisions:
        found[decision.kind].add(decision.job)
    return found


def done_in_one_cycle(world: SimulatedQueue) -> dict[DecisionKind, set[str]]:
    """Runs a cycle. Another one that follows from an event of its calls does not count."""
    jobs, pools = dict(world.store.jobs), dict(world.store.warm_pools)
    after: list[tuple[dict[str, Job], set[str]]] = []
    release = world.store.release_lease

    def noting(lease: Lease, *, wakes_again: bool = False) -> Lease | None:
        after.append((dict(world.store.jobs), {*world.store.warm_pools}))
        return release(lease, wakes_again=wakes_again)

    world.store.release_lease = noting  # type: ignore[method-assign]  # the end of the first cycle
    world.cycle()
    first, kept = after[0]
    taken_over = {attempt.on_pool for attempt in world.store.attempts.values()}
    pairs = [(jobs[name], job) for name, job in first.items()]
    stopped = {new.name: new.status.stop for old, new in pairs if is_stopped(old, new)}
    preempted = {name for name, stop in stopped.items() if stop and stop.asked_by}
    return {
        DecisionKind.START: {new.name for old, new in pairs if new.status.attempts > old.status.attempts},
        DecisionKind.PREEMPT: preempted,
        DecisionKind.STOP: stopped.keys() - preempted,
        DecisionKind.PARK: {new.name for old, new in pairs if is_parked(new) and not is_parked(old)},
        DecisionKind.RELEASE: {pools[name].job_name for name in pools.keys() - kept - taken_over},
    }


def is_stopped(old: Job, new: Job) -> bool:
    return new.status.state is JobState.STOPPING and old.status.state is not JobState.STOPPING


def is_parked(job: Job) -> bool:
    return job.status.state is JobState.PARKED
