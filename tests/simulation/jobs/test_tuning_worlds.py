"""Random worlds of tuning and training jobs with faults: the budget holds for children, and no trial is repeated.

A world is drawn from its seed; `make test-worlds` plays 60 instead of 12. SimulatedQueue checks the budget and the
live attempts at every event of SageMaker.
"""

import os
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from local_sagemaker.errors import AwsError
from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.fault_injection import CallRule, EventRule, Fault, Unanswered
from scheduler.core.jobs.job_state import JobState
from support.account.simulated_queue import ADA, PREEMPTS_AT_ONCE, SimulatedQueue
from support.faults.fault_points import FaultPoint, Killed
from support.simulation.planted_defects import tuning

#: The first twelve find each planted defect.
WORLDS = range(min(60, int(os.environ.get("WORLDS", "12"))))
UNKNOWNS = [Unknowns(), Unknowns(refuses_second_stop=True, lower_case_arns=True), Unknowns(tagged_after_seconds=60)]
FAULTS = [
    Fault(AwsError("ThrottlingException", "Rate exceeded")),
    Fault(AwsError("InternalFailure", "internal", 500)),
    Fault(Unanswered()),
    Fault(Unanswered(), takes_effect=True),
]
DEFECTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "ignore trials that outlive their tuning job": tuning.forget_a_trial,
    "run trials again after a preemption": tuning.repeat_a_trial,
    "release at Stopping": tuning.release_at_stopping,
    "name only the last parent": tuning.name_only_the_last_parent,
    "send the widest request of a narrow tuning job": tuning.send_the_widest_request,
}


def dies() -> None:
    raise Killed


def a_world(random: Random) -> SimulatedQueue:
    point = FaultPoint(random.randint(1, 60), random.random() < 0.5, dies)
    world = SimulatedQueue(
        budget="ml.m5.large=4",
        configuration={"policy": {**PREEMPTS_AT_ONCE, "preemptions_per_job": 10}},
        durations={f"sweep-{number}": random.uniform(60, 900) for number in range(3)},
        deliver_events=random.random() < 0.7,
        behaviour=Behaviour(unknowns=random.choice(UNKNOWNS)),
        fault_point=point,
        wrapped_port=random.choice(["store", "tuning", "training"]),
    )
    rules = world.simulation.machine.fault_rules
    rules.calls += [CallRule(fault=fault, chance=random.uniform(0, 0.06)) for fault in FAULTS]
    rules.events += [
        EventRule(arrives_after=arrives, chance=random.uniform(0, 0.2)) for arrives in ((), (0.0, 0.0), (400.0,))
    ]
    if random.random() < 0.5:
        event = "after-call.sagemaker.DescribeHyperParameterTuningJob"
        world.client.meta.events.register(event, _ends_before_its_children)
    return world


def _ends_before_its_children(parsed: dict[str, Any], **_: object) -> None:
    """Reports a stopping tuning job as stopped. AWS does not document that its children end first."""
    if parsed.get("HyperParameterTuningJobStatus") == "Stopping":
        parsed["HyperParameterTuningJobStatus"] = "Stopped"


def play(seed: int) -> SimulatedQueue:
    random = Random(seed)  # noqa: S311 - a world is drawn again from its seed
    world, submitted = a_world(random), 0
    may_be_narrow = Random(f"narrow {seed}")  # noqa: S311 - same
    for number in range(3):
        options = {"min_parallel": 1} if may_be_narrow.random() < 0.4 else {}
        priority, parallel, trials = random.randint(0, 3), random.randint(1, 3), random.randint(3, 12)
        world.tune(f"sweep-{number}", priority, options=options, parallel=parallel, trials=trials)
    for _ in range(random.randint(3, 12)):
        world.run(random.uniform(30, 900))
        match random.choice(["submit", "submit", "submit", "cancel", "requeue"]):
            case "submit":
                world.submit(f"urgent-{submitted}", random.randint(0, 9), instances=random.randint(1, 4))
                submitted += 1
            case "cancel" if random.random() < 0.3 and not (job := world.job("sweep-0")).is_finished:
                world.control.cancel(job.name, ADA)
            case "requeue" if world.job("sweep-1").status.state is JobState.RUNNING:
                world.control.requeue("sweep-1", ADA)
    world.simulation.machine.fault_rules.clear()
    world.run_until_empty(limit=7 * 86_400)
    return world


def judge(world: SimulatedQueue) -> None:
    machine = world.simulation.machine
    for number in range(3):
        job = world.job(f"sweep-{number}")
        attempts = [
            found for name, found in sorted(machine.tuning.by_name.items()) if name.startswith(f"{job.name}-sq-")
        ]
        ended, parents = 0, list[str]()
        for attempt in attempts:
            assert attempt.is_terminal
            if len(parents) <= 5:
                assert attempt.parents == parents, "an attempt names every earlier one with ended trials"
            statuses = [str(machine.jobs[trial.name].status) for trial in attempt.trials]
            assert statuses.count("InProgress") == statuses.count("Stopping") == 0
            done = statuses.count("Completed") + statuses.count("Failed")
            ended += done
            parents += [attempt.name] if done else []
        limits = job.spec.tuning
        assert limits is not None
        assert limits.most_trials is not None
        assert ended <= limits.most_trials, "a trial was repeated"
        if job.status.state is JobState.COMPLETED:
            assert ended == limits.most_trials, "a trial is missing"
        else:
            assert job.was_cancelled, job.status.reason


@pytest.mark.parametrize("seed", WORLDS)
def test_a_world_of_tuning_jobs_keeps_the_budget_and_repeats_no_trial(seed: int) -> None:
    judge(play(seed))


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_planted_defect_is_found(defect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    DEFECTS[defect](monkeypatch)
    with pytest.raises(AssertionError):
        _search()


def _search() -> None:
    for seed in WORLDS:
        judge(play(seed))
