from local_sagemaker.conformance.requests import a_request
from local_sagemaker.simulation import Simulation, Workload
from unit.local_sagemaker.situations import PATIENT


def three_jobs() -> Simulation:
    """Jobs created a minute apart; only the second has ended."""
    simulation = Simulation(
        lambda request: Workload(trains=10 if request["TrainingJobName"] == "b" else 86_400), behaviour=PATIENT
    )
    for name in "abc":
        simulation.client().create_training_job(**a_request(TrainingJobName=name))
        simulation.run(60)
    simulation.run(600)
    return simulation


def test_a_page_is_cut_before_the_status_filter_applies() -> None:
    page = three_jobs().client().list_training_jobs(StatusEquals="Completed", MaxResults=1)
    assert page["TrainingJobSummaries"] == []
    assert page["NextToken"]


def test_the_paginator_continues_after_empty_pages() -> None:
    paginator = three_jobs().client().get_paginator("list_training_jobs")
    pages = paginator.paginate(StatusEquals="Completed", PaginationConfig={"PageSize": 1})
    assert [job["TrainingJobName"] for page in pages for job in page["TrainingJobSummaries"]] == ["b"]


def test_a_page_has_ten_jobs_by_default() -> None:
    simulation = Simulation(behaviour=PATIENT)
    for number in range(11):
        simulation.client().create_training_job(**a_request(TrainingJobName=f"job-{number}"))
    assert len(simulation.client().list_training_jobs()["TrainingJobSummaries"]) == 10


def test_summaries_have_neither_resources_nor_tags() -> None:
    (summary, *_) = three_jobs().client().list_training_jobs()["TrainingJobSummaries"]
    assert not {"ResourceConfig", "Tags", "HyperParameters"} & summary.keys()


def test_a_list_can_be_filtered_by_name_and_sorted() -> None:
    client = three_jobs().client()
    ordered = client.list_training_jobs(SortBy="Name", SortOrder="Ascending")["TrainingJobSummaries"]
    named = client.list_training_jobs(NameContains="c")["TrainingJobSummaries"]
    assert [job["TrainingJobName"] for job in [*ordered, *named]] == ["a", "b", "c", "c"]
