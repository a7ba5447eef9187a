from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.conformance.requests import a_tuning_request
from local_sagemaker.simulation import Simulation
from unit.local_sagemaker.tuning_jobs import TUNING, a_simulation, described, run_to_the_end, stop, trains, trials


def warm(name: str, *parents: str, kind: str = "IdenticalDataAndAlgorithm", **changes: Any) -> dict[str, Any]:
    start = {
        "ParentHyperParameterTuningJobs": [{"HyperParameterTuningJobName": parent} for parent in parents],
        "WarmStartType": kind,
    }
    return a_tuning_request(name, WarmStartConfig=start, **changes)


def create(simulation: Simulation, request: dict[str, Any]) -> None:
    simulation.client().create_hyper_parameter_tuning_job(**request)


def refusal(simulation: Simulation, request: dict[str, Any]) -> str:
    with pytest.raises(ClientError) as refused:
        create(simulation, request)
    error = refused.value.response["Error"]
    assert error["Code"] == "ValidationException"
    return error["Message"]


def an_ended_parent(**changes: Any) -> Simulation:
    simulation = a_simulation(**changes)
    run_to_the_end(simulation)
    return simulation


def test_the_overall_best_is_that_of_job_and_parents() -> None:
    values = iter([0.1, 0.9, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
    simulation = an_ended_parent(workload=trains(value=lambda _: next(values)))
    create(simulation, warm("child", TUNING))
    simulation.run(86_400)
    own = described(simulation, "child")
    assert own["BestTrainingJob"]["FinalHyperParameterTuningJobObjectiveMetric"]["Value"] == pytest.approx(0.7)
    assert own["OverallBestTrainingJob"]["FinalHyperParameterTuningJobObjectiveMetric"]["Value"] == pytest.approx(0.9)
    assert own["OverallBestTrainingJob"]["TuningJobName"] == TUNING


def test_transfer_learning_has_no_overall_best() -> None:
    simulation = an_ended_parent()
    create(simulation, warm("child", TUNING, kind="TransferLearning"))
    simulation.run(86_400)
    assert "OverallBestTrainingJob" not in described(simulation, "child")


def test_a_warm_start_is_not_recursive() -> None:
    values = iter([1.0, 1.0, 1.0, 1.0, *[0.5] * 8])
    simulation = an_ended_parent(workload=trains(value=lambda _: next(values)))
    for name, parent in (("second", TUNING), ("third", "second")):
        create(simulation, warm(name, parent))
        simulation.run(86_400)
    overall = described(simulation, "third")["OverallBestTrainingJob"]
    assert overall["FinalHyperParameterTuningJobObjectiveMetric"]["Value"] == pytest.approx(0.5)


@pytest.mark.parametrize("strategy", ["Random", "Bayesian"])
def test_no_combination_of_the_parents_is_tried_again(strategy: str) -> None:
    ranges = {"CategoricalParameterRanges": [{"Name": "lr", "Values": [str(number) for number in range(8)]}]}
    config = {"Strategy": strategy, "ParameterRanges": ranges, "RandomSeed": 1}
    simulation = an_ended_parent(config=config)
    create(simulation, warm("child", TUNING, config=config))
    simulation.run(86_400)
    tried = [trial["TunedHyperParameters"]["lr"] for name in (TUNING, "child") for trial in trials(simulation, name)]
    assert sorted(tried) == [str(number) for number in range(8)]


def test_parents_must_have_ended() -> None:
    simulation = a_simulation(trains(3600))
    assert refusal(simulation, warm("child", TUNING)) == (
        "The parent hyperparameter tuning job search is in status InProgress. Parents must be Completed, Stopped or "
        "Failed."
    )
    simulation.run(300)
    simulation.machine.hang(next(iter(simulation.machine.jobs)))
    stop(simulation)
    assert "is in status Stopping" in refusal(simulation, warm("child", TUNING))


def test_a_stopped_parent_is_accepted() -> None:
    simulation = a_simulation(trains(3600))
    simulation.run(300)
    stop(simulation)
    simulation.run(600)
    create(simulation, warm("child", TUNING))


def test_the_trials_of_the_parents_count_against_the_limit() -> None:
    simulation = an_ended_parent()
    most = {"ResourceLimits": {"MaxNumberOfTrainingJobs": 496, "MaxParallelTrainingJobs": 1}}
    create(simulation, warm("child", TUNING, config=most))
    more = {"ResourceLimits": {"MaxNumberOfTrainingJobs": 497, "MaxParallelTrainingJobs": 1}}
    assert "are 501 together" in refusal(simulation, warm("other", TUNING, config=more))


INTEGER = {"IntegerParameterRanges": [{"Name": "lr", "MinValue": "1", "MaxValue": "9"}]}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown parent": (warm("child", "nobody"), "The parent hyperparameter tuning job nobody does not exist."),
    "a parent twice": (warm("child", TUNING, TUNING), "must be unique"),
    "another objective": (
        warm(
            "child", TUNING, config={"HyperParameterTuningJobObjective": {"Type": "Minimize", "MetricName": "accuracy"}}
        ),
        "The objective metric must be the same as in the parent hyperparameter tuning job search.",
    ),
    "another hyperparameter": (
        warm("child", TUNING, definition={"StaticHyperParameters": {"epochs": "3", "depth": "1"}}),
        "The set of tunable plus static HyperParameter names is not the same across current and parent tuning jobs. "
        "Please ensure this set is constant when warm starting. Note that previously static HyperParameters can be "
        "tuned in warm start jobs and vice versa.",
    ),
    "another type": (warm("child", TUNING, config={"ParameterRanges": INTEGER}), "The type of hyperparameter lr"),
    "a member that must not change": (
        warm("child", TUNING, definition={"EnableNetworkIsolation": True}),
        "Only the following fields in TrainingJobDefinition are allowed to change: [algorithmSpecification, "
        "inputDataConfig, outputDataConfig, staticHyperParameters, roleArn, resourceConfig, stoppingCondition, "
        "vpcConfig, enableManagedSpotTraining, checkpointConfig].",
    ),
    "a grid": (
        warm(
            "child",
            TUNING,
            config={
                "Strategy": "Grid",
                "ParameterRanges": {"CategoricalParameterRanges": [{"Name": "lr", "Values": ["1", "2", "3", "4"]}]},
            },
        ),
        "Warm start is available only if Strategy is Bayesian or Random.",
    ),
    "hyperband": (
        warm("child", TUNING, config={"Strategy": "Hyperband"}),
        "Warm start is available only if Strategy is Bayesian or Random.",
    ),
    "six parents": (warm("child", *"abcdef"), "Member must have length less than or equal to 5"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_warm_start_against_the_rules_is_refused(case: str) -> None:
    request, reason = REFUSED[case]
    assert reason in refusal(an_ended_parent(), request)


def test_hyperparameters_may_change_between_static_and_tunable() -> None:
    simulation = an_ended_parent()
    ranges = {"IntegerParameterRanges": [{"Name": "epochs", "MinValue": "1", "MaxValue": "9"}]}
    create(
        simulation,
        warm("child", TUNING, config={"ParameterRanges": ranges}, definition={"StaticHyperParameters": {"lr": "0.1"}}),
    )


def test_at_most_ten_hyperparameters_become_static_or_get_another_value() -> None:
    static = {f"p{number}": "1" for number in range(11)}
    simulation = an_ended_parent(definition={"StaticHyperParameters": static})
    changed = dict.fromkeys(static, "2")
    reason = refusal(simulation, warm("child", TUNING, definition={"StaticHyperParameters": changed}))
    assert reason.endswith("not 11.")
    create(simulation, warm("child", TUNING, definition={"StaticHyperParameters": changed | {"p0": "1"}}))
