import itertools
from typing import Any

import pytest

from local_sagemaker.simulation import Simulation, Workload
from local_sagemaker.state_machine.tuning.search_space import dimensions
from unit.local_sagemaker.tuning_jobs import a_simulation, run_to_the_end, trains, trials

UNITS = [0.0, 0.25, 0.5, 0.75, 0.999]


def tuned(simulation: Simulation) -> list[dict[str, str]]:
    run_to_the_end(simulation)
    return [trial["TunedHyperParameters"] for trial in trials(simulation)]


def values_of(member: str, **bounds: Any) -> list[str]:
    (dimension,) = dimensions({member: [{"Name": "x", **bounds}]})
    return [dimension.value(unit) for unit in UNITS]


def numbers_of(member: str, **bounds: str) -> list[float]:
    return [float(value) for value in values_of(member, **bounds)]


def test_integers_are_spread_evenly_over_their_range() -> None:
    assert values_of("IntegerParameterRanges", MinValue="-2", MaxValue="1") == ["-2", "-1", "0", "1", "1"]


def test_logarithmic_values_are_spread_over_the_orders_of_magnitude() -> None:
    bounds = {"MinValue": "0.0001", "MaxValue": "1"}
    assert numbers_of("ContinuousParameterRanges", ScalingType="Logarithmic", **bounds)[:4] == pytest.approx(
        [0.0001, 0.001, 0.01, 0.1]
    )
    assert numbers_of("ContinuousParameterRanges", **bounds)[1] == pytest.approx(0.001)  # Auto
    assert numbers_of("ContinuousParameterRanges", ScalingType="Linear", **bounds)[2] == pytest.approx(0.50005)


def test_reverse_logarithmic_values_crowd_at_the_upper_end() -> None:
    values = numbers_of("ContinuousParameterRanges", ScalingType="ReverseLogarithmic", MinValue="0", MaxValue="0.999")
    assert values[:4] == pytest.approx([0, 0.82217, 0.96838, 0.99438], abs=0.0001)


def test_autotune_searches_around_the_example() -> None:
    assert numbers_of("AutoParameters", ValueHint="10")[0] == 1
    assert numbers_of("AutoParameters", ValueHint="0.1")[0] == pytest.approx(0.01)
    assert values_of("AutoParameters", ValueHint="adam") == ["adam"] * 5


def test_a_grid_tries_every_combination_once() -> None:
    ranges = {"CategoricalParameterRanges": [{"Name": name, "Values": ["a", "b", "c"]} for name in ("lr", "x")]}
    config = {
        "Strategy": "Grid",
        "ParameterRanges": ranges,
        "ResourceLimits": {"MaxParallelTrainingJobs": 4},
    }
    found = tuned(a_simulation(trains(value=lambda _: 1.0), config=config))
    assert [trial["lr"] + trial["x"] for trial in found] == ["aa", "ab", "ac", "ba", "bb", "bc", "ca", "cb", "cc"]


@pytest.mark.parametrize("strategy", ["Random", "Bayesian"])
def test_the_random_seed_repeats_the_trials_of_another_job(strategy: str) -> None:
    def with_seed(seed: int) -> list[dict[str, str]]:
        return tuned(a_simulation(config={"Strategy": strategy, "RandomSeed": seed}))

    assert with_seed(1) == with_seed(1)
    assert with_seed(1) != with_seed(2)


def test_the_stand_in_for_bayesian_search_spreads_its_trials_evenly() -> None:
    config = {
        "Strategy": "Bayesian",
        "ResourceLimits": {"MaxNumberOfTrainingJobs": 16, "MaxParallelTrainingJobs": 4},
        "ParameterRanges": {"ContinuousParameterRanges": [{"Name": "lr", "MinValue": "0", "MaxValue": "1"}]},
    }
    found = sorted(float(trial["lr"]) for trial in tuned(a_simulation(config=config)))
    gaps = [second - first for first, second in itertools.pairwise(found)]
    assert max(gaps) < 2.5 / 16
    assert min(gaps) > 0.3 / 16


def epochs(values: list[float]) -> Workload:
    return Workload(trains=100 * len(values), epochs=tuple({"accuracy": value} for value in values))


def test_early_stopping_ends_a_trial_below_the_median_of_completed_ones() -> None:
    series = iter([[0.5, 0.6, 0.7], [0.1, 0.2, 0.3], [0.55, 0.65, 0.75]])
    limits = {"MaxNumberOfTrainingJobs": 3, "MaxParallelTrainingJobs": 1}
    simulation = a_simulation(
        lambda _: epochs(next(series)), config={"TrainingJobEarlyStoppingType": "Auto", "ResourceLimits": limits}
    )
    done = run_to_the_end(simulation)
    found = trials(simulation)
    assert [trial["TrainingJobStatus"] for trial in found] == ["Completed", "Stopped", "Completed"]
    assert [trial["ObjectiveStatus"] for trial in found] == ["Succeeded"] * 3
    stopped = found[1]["FinalHyperParameterTuningJobObjectiveMetric"]["Value"]
    assert stopped == pytest.approx(0.1)  # stopped after its first epoch
    assert done["BestTrainingJob"]["TrainingJobName"] == found[2]["TrainingJobName"]


def test_without_early_stopping_a_bad_trial_goes_on() -> None:
    series = iter([[0.5, 0.6], [0.1, 0.2]])
    limits = {"MaxNumberOfTrainingJobs": 2, "MaxParallelTrainingJobs": 1}
    simulation = a_simulation(lambda _: epochs(next(series)), config={"ResourceLimits": limits})
    assert run_to_the_end(simulation)["TrainingJobStatusCounters"]["Completed"] == 2


def test_hyperband_keeps_one_of_three_at_each_rung_and_ends_at_the_most_epochs() -> None:
    def course(request: dict[str, Any]) -> Workload:
        number = int(request["TrainingJobName"].split("-")[1])
        return epochs([number / 10 + epoch / 1000 for epoch in range(20)])

    config = {
        "Strategy": "Hyperband",
        "StrategyConfig": {"HyperbandStrategyConfig": {"MinResource": 1, "MaxResource": 9}},
        "ResourceLimits": {"MaxNumberOfTrainingJobs": 9, "MaxParallelTrainingJobs": 9},
    }
    simulation = a_simulation(course, config=config)
    done = run_to_the_end(simulation)
    counts = [len(simulation.machine.jobs[trial["TrainingJobName"]].objective_values) for trial in trials(simulation)]
    assert counts[-1] == 9  # the best one reached MaxResource
    assert sorted(counts)[:3] == [1, 1, 1]
    assert done["HyperParameterTuningJobStatus"] == "Completed"
    assert done["BestTrainingJob"]["TrainingJobName"] == trials(simulation)[-1]["TrainingJobName"]


def test_a_trial_is_not_stopped_before_the_least_resource() -> None:
    config = {
        "Strategy": "Hyperband",
        "StrategyConfig": {"HyperbandStrategyConfig": {"MinResource": 4, "MaxResource": 9}},
        "ResourceLimits": {"MaxNumberOfTrainingJobs": 6, "MaxParallelTrainingJobs": 6},
    }
    simulation = a_simulation(lambda request: epochs([float(request["HyperParameters"]["lr"])] * 20), config=config)
    run_to_the_end(simulation)
    assert min(len(job.objective_values) for job in simulation.machine.jobs.values()) == 4
