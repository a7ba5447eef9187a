from local_sagemaker.conformance.requests import TUNING, a_tuning_request
from local_sagemaker.simulation import Simulation
from unit.local_sagemaker.tuning_jobs import a_simulation, run_to_the_end, trains, trials


def three_jobs() -> Simulation:
    simulation = a_simulation(trains(), HyperParameterTuningJobName="b")
    for name in ("a", "c"):
        simulation.run(60)
        simulation.client().create_hyper_parameter_tuning_job(**a_tuning_request(name))
    return simulation


def test_tuning_jobs_are_listed_by_name() -> None:
    page = three_jobs().client().list_hyper_parameter_tuning_jobs()
    assert [job["HyperParameterTuningJobName"] for job in page["HyperParameterTuningJobSummaries"]] == ["a", "b", "c"]


def test_the_paginator_follows_pages_in_any_order() -> None:
    pages = (
        three_jobs()
        .client()
        .get_paginator("list_hyper_parameter_tuning_jobs")
        .paginate(SortBy="CreationTime", SortOrder="Descending", PaginationConfig={"PageSize": 2})
    )
    names = [job["HyperParameterTuningJobName"] for page in pages for job in page["HyperParameterTuningJobSummaries"]]
    assert names == ["c", "a", "b"]


def test_a_page_is_cut_before_the_status_filter_applies() -> None:
    page = three_jobs().client().list_hyper_parameter_tuning_jobs(StatusEquals="Stopped", MaxResults=1)
    assert page["HyperParameterTuningJobSummaries"] == []
    assert page["NextToken"]


def test_trials_are_listed_by_value_without_those_that_have_none() -> None:
    values = iter([0.3, 0.1, 0.2, 0.4])
    simulation = a_simulation(trains(value=lambda _: next(values)))
    simulation.run(300)
    assert trials(simulation, SortBy="FinalObjectiveMetricValue") == []
    run_to_the_end(simulation)
    ordered = trials(simulation, SortBy="FinalObjectiveMetricValue", SortOrder="Descending")
    found = [trial["FinalHyperParameterTuningJobObjectiveMetric"]["Value"] for trial in ordered]
    assert found == sorted(found, reverse=True)
    assert len(found) == 4


def test_trials_come_in_pages() -> None:
    simulation = a_simulation()
    run_to_the_end(simulation)
    pages = (
        simulation.client()
        .get_paginator("list_training_jobs_for_hyper_parameter_tuning_job")
        .paginate(HyperParameterTuningJobName=TUNING, StatusEquals="Completed", PaginationConfig={"PageSize": 3})
    )
    assert [len(page["TrainingJobSummaries"]) for page in pages] == [3, 1]
