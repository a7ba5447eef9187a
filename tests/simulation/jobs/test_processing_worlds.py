"""Random worlds of processing and training jobs with faults: one budget holds for both kinds, and no work is repeated.

A world is drawn from its seed. SimulatedQueue checks the budget and the live attempts at every event of SageMaker.
"""

from collections.abc import Callable
from random import Random

import pytest

from local_sagemaker.errors import AwsError
from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.fault_injection import CallRule, EventRule, Fault, Unanswered
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from support.account.simulated_queue import ADA, PREEMPTS_AT_ONCE, SimulatedQueue
from support.faults.fault_points import FaultPoint, Killed
from support.simulation.planted_defects import processing

WORLDS = range(12)
#: The beginning of the names of processing jobs: those that may be preempted, and the others.
RESTARTABLE, PROTECTED = "report-", "features-"
UNKNOWNS = [
    Unknowns(),
    Unknowns(refuses_second_stop=True, lower_case_arns=True),
    Unknowns(tagged_after_seconds=60, described_after_seconds=5),
]
FAULTS = [
    Fault(AwsError("ThrottlingException", "Rate exceeded")),
    Fault(AwsError("InternalFailure", "internal", 500)),
    Fault(Unanswered()),
    Fault(Unanswered(), takes_effect=True),
]
DEFECTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "release at Stopping": processing.release_at_stopping,
    "count processing jobs as training jobs": processing.count_as_training,
    "count one instance of a cluster": processing.count_one_instance,
    "preempt without permission": processing.preempt_without_permission,
}


NAMES = [f"{beginning}{number}" for number in range(20) for beginning in (RESTARTABLE, PROTECTED)]


def dies() -> None:
    raise Killed


def a_world(random: Random) -> SimulatedQueue:
    point = FaultPoint(random.randint(1, 60), random.random() < 0.5, dies)
    world = SimulatedQueue(
        budget="ml.m5.large=3,ml.m5.large@processing=2",
        configuration={"policy": {**PREEMPTS_AT_ONCE, "preemptions_per_job": 10}},
        durations={name: random.uniform(60, 3000) for name in NAMES},
        crashing={name for name in NAMES if random.random() < 0.1},
        deliver_events=random.random() < 0.7,
        behaviour=Behaviour(unknowns=random.choice(UNKNOWNS)),
        fault_point=point,
        wrapped_port=random.choice(["store", "processing", "training"]),
    )
    rules = world.simulation.machine.fault_rules
    rules.calls += [CallRule(fault=fault, chance=random.uniform(0, 0.06)) for fault in FAULTS]
    rules.events += [
        EventRule(arrives_after=arrives, chance=random.uniform(0, 0.2)) for arrives in ((), (0.0, 0.0), (400.0,))
    ]
    return world


def play(seed: int) -> SimulatedQueue:
    random = Random(seed)  # noqa: S311 - a world is drawn again from its seed
    world, submitted = a_world(random), 0
    for _ in range(random.randint(6, 20)):
        world.run(random.uniform(30, 900))
        match random.choice(["process", "process", "process", "submit", "cancel", "requeue"]):
            case "process":
                kind, options = random.choice([(RESTARTABLE, {"never_preempt": False}), (PROTECTED, {})])
                priority, instances = random.randint(0, 9), random.randint(1, 2)
                world.process(f"{kind}{submitted}", priority, instances=instances, options=options)
                submitted += 1
            case "submit":
                world.submit(f"resnet-{submitted}", random.randint(0, 9), instances=random.randint(1, 3))
                submitted += 1
            case act if jobs := [job for job in world.store.jobs.values() if not job.is_finished]:
                job = random.choice(jobs)
                if act == "cancel" and random.random() < 0.4:
                    world.control.cancel(job.name, ADA)
                elif act == "requeue" and job.status.state is JobState.RUNNING:
                    world.control.requeue(job.name, ADA)
    world.simulation.machine.fault_rules.clear()
    world.run_until_empty(limit=7 * 86_400)
    return world


def judge(world: SimulatedQueue) -> None:
    machine = world.simulation.machine
    for job in world.store.jobs.values():
        if not job.name.startswith((RESTARTABLE, PROTECTED)):
            continue
        attempts = [found for found in machine.processing.by_key.values() if found.name.startswith(f"{job.name}-sq-")]
        assert all(attempt.is_terminal for attempt in attempts)
        statuses = [str(attempt.status) for attempt in sorted(attempts, key=lambda attempt: attempt.created_at)]
        assert statuses.count("Completed") <= 1, "completed work was repeated"
        _judge_end(job, statuses)
        _judge_preemptions(world, job)


def _judge_end(job: Job, statuses: list[str]) -> None:
    match job.status.state:
        case JobState.COMPLETED:
            assert statuses[-1] == "Completed", statuses
        case JobState.FAILED:
            assert statuses[-1] == "Failed", statuses
        case _:
            assert job.was_cancelled, job.status.reason


def _judge_preemptions(world: SimulatedQueue, job: Job) -> None:
    """Only jobs whose users allow a restart are preempted, and only for jobs of the same kind."""
    for ended in job.status.history:
        if ended.outcome is Outcome.PREEMPTED and ended.beneficiary:
            assert job.name.startswith(RESTARTABLE), job.name
            assert world.job(ended.beneficiary).spec.kind is job.spec.kind


@pytest.mark.parametrize("seed", WORLDS)
def test_a_world_of_processing_jobs_keeps_one_budget_for_both_kinds(seed: int) -> None:
    judge(play(seed))


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_planted_defect_is_found(defect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    DEFECTS[defect](monkeypatch)
    with pytest.raises(AssertionError):
        _search()


def _search() -> None:
    for seed in WORLDS:
        judge(play(seed))
