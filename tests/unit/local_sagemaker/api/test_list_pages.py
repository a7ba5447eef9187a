"""Pages of ListTrainingJobs where filters apply before or after the cut, and their tokens."""

from math import inf
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.conformance.requests import a_request
from local_sagemaker.simulation import Simulation
from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from support.builders.past_jobs import add_past_jobs

NEWEST_FIRST = {"SortBy": "CreationTime", "SortOrder": "Descending"}


def a_list(others: int = 7, **unknowns: Any) -> Simulation:
    """A hundred seconds, in which others created jobs."""
    simulation = Simulation(behaviour=Behaviour(unknowns=Unknowns(**unknowns)))
    simulation.run(100)
    add_past_jobs(simulation.machine, others, simulation.now - 100, simulation.now)
    return simulation


def names(page: Any) -> list[str]:
    return [summary["TrainingJobName"].rpartition("-")[2] for summary in page["TrainingJobSummaries"]]


@pytest.mark.parametrize(("cuts_first", "found"), [(True, []), (False, ["0"])])
@pytest.mark.parametrize("by", ["NameContains", "CreationTimeBefore", "LastModifiedTimeBefore"])
def test_a_page_is_cut_before_or_after_each_filter(by: str, cuts_first: bool, found: list[str]) -> None:
    simulation = a_list(cuts_pages_first=cuts_first)
    wanted = "-0" if by == "NameContains" else simulation.now - 90
    page = simulation.client().list_training_jobs(**{by: wanted}, **NEWEST_FIRST, MaxResults=2)  # type: ignore[arg-type]
    assert names(page) == found
    assert ("NextToken" in page) is cuts_first


@pytest.mark.parametrize("order", ["Ascending", "Descending"])
def test_a_token_continues_after_its_page_although_jobs_come_and_go(order: str) -> None:
    simulation = a_list()
    client = simulation.client()
    first = client.list_training_jobs(SortBy="CreationTime", SortOrder=order, MaxResults=2)  # type: ignore[arg-type]
    client.create_training_job(**a_request(TrainingJobName="new-7"))
    del simulation.machine.past_jobs[first["TrainingJobSummaries"][1]["TrainingJobName"]]
    second = client.list_training_jobs(
        SortBy="CreationTime",
        SortOrder=order,  # type: ignore[arg-type]
        MaxResults=9,
        NextToken=first["NextToken"],
    )
    left = ["2", "3", "4", "5", "6", "7"] if order == "Ascending" else ["4", "3", "2", "1", "0"]
    assert names(second) == left


@pytest.mark.parametrize(("seconds", "is_good"), [(30.0, False), (inf, True)])
def test_a_token_is_good_for_ever_or_not(seconds: float, is_good: bool) -> None:
    simulation = a_list(page_token_seconds=seconds)
    client = simulation.client()
    token = client.list_training_jobs(MaxResults=2)["NextToken"]
    assert len(client.list_training_jobs(NextToken=token)["TrainingJobSummaries"]) == 5
    simulation.run(31)
    if is_good:
        assert len(client.list_training_jobs(NextToken=token)["TrainingJobSummaries"]) == 5
    else:
        with pytest.raises(ClientError, match="Invalid pagination token"):
            client.list_training_jobs(NextToken=token)


@pytest.mark.parametrize("late", [False, True])
def test_the_tags_of_a_new_job_are_listed_at_once_or_later(late: bool) -> None:
    simulation = a_list(tagged_after_seconds=60.0 * late)
    client = simulation.client()
    tags = [{"Key": "team", "Value": "vision"}]
    arn = client.create_training_job(**a_request(Tags=tags))["TrainingJobArn"]
    assert client.list_tags(ResourceArn=arn)["Tags"] == ([] if late else tags)
    simulation.run(60)
    assert client.list_tags(ResourceArn=arn)["Tags"] == tags
