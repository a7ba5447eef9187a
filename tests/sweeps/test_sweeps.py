"""Real Optuna studies on a local account: killed, continued and pruned."""

import json
from pathlib import Path

import pytest

from sagequeue import QueueClient
from support.deployed.waiting import eventually
from sweeps.conftest import BUDGET
from sweeps.programs import SECONDS, run_program, run_sweep, running_sweep, trial_request, trials_of, write_study

TRIALS = 30
#: The user has enqueued a bad trial, whose pruner ends it at its first value.
PRUNED = """
import json, sys, optuna
from sagequeue import Sweep
from sagequeue.sweeps import sweep

sweep.EVERY = 0.2
request = json.loads(sys.argv[2])
study = optuna.create_study(study_name="pruned", storage=sys.argv[1], pruner=optuna.pruners.ThresholdPruner(upper=5))
study.enqueue_trial({"x": 5.0})
study.enqueue_trial({"x": 2.0})
def request_of(trial):
    algorithm = request["AlgorithmSpecification"]
    x = trial.suggest_float("x", -5, 5)
    seconds = "100" if x == 5 else "0.4"
    return {**request, "AlgorithmSpecification": {**algorithm, "ContainerArguments": [str(x), seconds]}}
Sweep(study, request_of, "loss=([0-9.]+)", trials=2).run()
print([(trial.state.name, trial.user_attrs["job"], trial.intermediate_values) for trial in study.trials])
"""


def test_a_study_of_thirty_trials_is_killed_and_continues(queue: QueueClient, tmp_path: Path) -> None:
    file = write_study(tmp_path, "digits", TRIALS)
    with running_sweep(file):
        eventually(
            lambda: list(queue.list(name="digits-", state="completed")),
            lambda jobs: len(jobs) >= TRIALS // 3,
            within=SECONDS,
        )
    at_the_kill = {job["name"] for job in queue.list(name="digits-")}
    assert TRIALS // 3 <= len(at_the_kill) < TRIALS

    done = run_sweep(file)
    assert done.returncode == 0, done.stderr
    trials, jobs = trials_of(file), {job["name"]: job for job in queue.list(name="digits-")}
    assert [trial["job"] for trial in trials] == [f"digits-{number}" for number in range(TRIALS)]
    assert jobs.keys() == {trial["job"] for trial in trials}
    assert {trial["state"] for trial in trials} == {"COMPLETE"}
    assert {job["state"] for job in jobs.values()} == {"completed"}
    assert all(len(job["attempts"]) == 1 for job in jobs.values())
    for trial in trials:  # each has the result of its own parameters, and of no other trial's
        assert trial["value"] == pytest.approx((trial["x"] - 2) ** 2 + 1 / 8, abs=1e-5)
        assert trial["steps"] == [0, 1, 2, 3]
    assert min(trial["value"] for trial in trials) < 0.5  # it has learned
    assert f"{min(trial['value'] for trial in trials):g}" in done.stdout.splitlines()[-1]

    repeated = run_sweep(file)
    assert repeated.returncode == 0, repeated.stderr
    assert len(trials_of(file)) == len(list(queue.list(name="digits-"))) == TRIALS


@pytest.mark.parametrize("point", ["before", "after"])
def test_a_kill_at_a_submission_neither_loses_nor_doubles_a_trial(
    queue: QueueClient, tmp_path: Path, point: str
) -> None:
    file = write_study(tmp_path, f"killed-{point}", 4)
    killed = run_sweep(file, dies=f"{point}:2")
    assert killed.returncode == -9
    assert trials_of(file)[2]["job"] == f"killed-{point}-2"
    assert f"killed-{point}-2" in {job["name"] for job in queue.list(name=f"killed-{point}-")} or point == "before"

    done = run_sweep(file)
    assert done.returncode == 0, done.stderr
    assert [trial["state"] for trial in trials_of(file)] == ["COMPLETE"] * 4
    names = sorted(job["name"] for job in queue.list(name=f"killed-{point}-"))
    assert names == [f"killed-{point}-{number}" for number in range(4)]


def test_the_pruner_cancels_the_job_of_a_bad_trial(queue: QueueClient, tmp_path: Path) -> None:
    done = run_program(PRUNED, f"sqlite:///{tmp_path / 'study.db'}", json.dumps(trial_request()))
    assert done.returncode == 0, done.stderr
    assert "('PRUNED', 'pruned-0', {0: 10.0})" in done.stdout.splitlines()[-1]
    assert "('COMPLETE', 'pruned-1'" in done.stdout.splitlines()[-1]
    assert (queue.get("pruned-0")["state"], queue.get("pruned-1")["state"]) == ("stopped", "completed")


def test_the_width_of_a_sweep_follows_the_budget(queue: QueueClient, tmp_path: Path) -> None:
    file = write_study(tmp_path, "wide", 3 * BUDGET, request=trial_request(seconds=600))
    with running_sweep(file):
        eventually(lambda: len(list(queue.list(name="wide-"))), lambda count: count > BUDGET)
        eventually(lambda: len(list(queue.list(name="wide-", state="running"))), lambda count: count == BUDGET)
        assert len(list(queue.list(name="wide-", state="pending"))) <= 1
    for job in queue.list(name="wide-", state=("running", "pending")):
        queue.cancel(job["name"])


def test_a_failed_job_fails_its_trial_only(queue: QueueClient, tmp_path: Path) -> None:
    request = trial_request(seconds=0.2)
    request["AlgorithmSpecification"]["ContainerEntrypoint"][-1] += "\nsys.exit(1)"
    file = write_study(tmp_path, "failing", 2, request=request, parallel=1)
    done = run_sweep(file)
    assert done.returncode == 0, done.stderr
    assert [trial["state"] for trial in trials_of(file)] == ["FAIL", "FAIL"]
    assert "failing-0: failed: " in done.stdout
