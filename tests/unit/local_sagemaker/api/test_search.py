import json
import random
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.api.protocol import answer
from local_sagemaker.conformance.requests import a_request
from local_sagemaker.simulation import Simulation, Workload
from support.requests.damage import damage
from unit.local_sagemaker.situations import PATIENT


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    """Three jobs, a minute apart; only the second has ended. The first was created at 2026-01-01T00:00:00Z."""
    simulation = Simulation(
        lambda request: Workload(trains=10 if "b" in request["TrainingJobName"] else 86_400), behaviour=PATIENT
    )
    for name, team in [("a-1", "red"), ("b-1", "red"), ("a-2", "blue")]:
        tags = [{"Key": "team", "Value": team}]
        request = a_request(
            TrainingJobName=name,
            Tags=tags,
            HyperParameters={"name": name},
            RemoteDebugConfig={"EnableRemoteDebug": True},
        )
        simulation.client().create_training_job(**request)
        simulation.run(60)
    simulation.run(600)
    return simulation


def found(simulation: Simulation, *filters: tuple[str, ...], **more: Any) -> list[str]:
    members = [dict(zip(("Name", "Operator", "Value"), each, strict=False)) for each in filters]
    expression: Any = {"Filters": members, **more} if members else more
    answer = simulation.client().search(
        Resource="TrainingJob", SearchExpression=expression, SortBy="CreationTime", SortOrder="Ascending"
    )  # fmt: skip
    return [result["TrainingJob"]["TrainingJobName"] for result in answer["Results"]]


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        (("TrainingJobName", "Contains", "a-"), ["a-1", "a-2"]),
        (("TrainingJobName", "Equals", "a-2"), ["a-2"]),
        (("TrainingJobName", "In", "a-2,b-1"), ["b-1", "a-2"]),
        (("TrainingJobStatus", "Equals", "Completed"), ["b-1"]),
        (("TrainingJobStatus", "NotEquals", "Completed"), ["a-1", "a-2"]),
        (("Tags.team", "Equals", "red"), ["a-1", "b-1"]),
        (("Tags.team", "Exists"), ["a-1", "b-1", "a-2"]),
        (("Tags.owner", "NotExists"), ["a-1", "b-1", "a-2"]),
        (("CreationTime", "GreaterThan", "2026-01-01T00:00:30Z"), ["b-1", "a-2"]),
        (("CreationTime", "LessThanOrEqualTo", "2026-01-01T00:01:00Z"), ["a-1", "b-1"]),
        (("ResourceConfig.InstanceCount", "GreaterThanOrEqualTo", "1"), ["a-1", "b-1", "a-2"]),
        (("HyperParameters.name", "Equals", "a-1"), ["a-1"]),
        (("EnableManagedSpotTraining", "Equals", "true"), []),
        (("ResourceConfig", "Equals", "x"), []),
    ],
)
def test_jobs_are_found_by(simulation: Simulation, condition: tuple[str, ...], names: list[str]) -> None:
    assert found(simulation, condition) == names


def test_conditions_are_joined_by_and(simulation: Simulation) -> None:
    assert found(simulation, ("Tags.team", "Equals", "red"), ("TrainingJobName", "Contains", "a-")) == ["a-1"]


def test_conditions_can_be_joined_by_or(simulation: Simulation) -> None:
    blue, ended = ("Tags.team", "Equals", "blue"), ("TrainingJobStatus", "Equals", "Completed")
    assert found(simulation, blue, ended, Operator="Or") == ["b-1", "a-2"]


def test_expressions_can_be_nested(simulation: Simulation) -> None:
    inner = {"Filters": [{"Name": "Tags.team", "Operator": "Equals", "Value": "red"}]}
    assert found(simulation, SubExpressions=[inner]) == ["a-1", "b-1"]


def test_results_have_tags_and_lack_newer_members(simulation: Simulation) -> None:
    (result, *_) = simulation.client().search(Resource="TrainingJob")["Results"]
    assert result["TrainingJob"]["Tags"] == [{"Key": "team", "Value": "blue"}]
    assert "RemoteDebugConfig" not in result["TrainingJob"]


def test_the_paginator_finds_all(simulation: Simulation) -> None:
    pages = simulation.client().get_paginator("search").paginate(
        Resource="TrainingJob", SortBy="ResourceConfig", PaginationConfig={"PageSize": 1}
    )  # fmt: skip
    assert [len(page["Results"]) for page in pages] == [1, 1, 1]


@pytest.mark.parametrize(
    "request_",
    [
        {"Resource": "Endpoint"},
        {"Resource": "TrainingJob", "NextToken": "?"},
        {"Resource": "TrainingJob", "SearchExpression": {"Filters": [{"Name": "TrainingJobName"}]}},
        {
            "Resource": "TrainingJob",
            "SearchExpression": {"Filters": [{"Name": "CreationTime", "Operator": "LessThan", "Value": "soon"}]},
        },
        {
            "Resource": "TrainingJob",
            "SearchExpression": {"NestedFilters": [{"NestedPropertyName": "x", "Filters": [{"Name": "x"}]}]},
        },
    ],
)
def test_an_unsupported_search_is_refused(simulation: Simulation, request_: dict[str, Any]) -> None:
    with pytest.raises(ClientError, match="ValidationException"):
        simulation.client().search(**request_)


def test_a_damaged_search_never_breaks_the_server(simulation: Simulation) -> None:
    chance = random.Random(1)  # noqa: S311 - repeatable damage
    for _ in range(500):
        condition = {"Name": "CreationTime", "Operator": "LessThan", "Value": "2026-01-01"}
        request = {"Resource": "TrainingJob", "SortBy": "Tags.team", "SearchExpression": {"Filters": [condition]}}
        damage(request, chance)
        assert answer(simulation.machine, "SageMaker.Search", json.dumps(request).encode(), simulation.now).status < 500
