"""The plan of a replay: which rows it has, and what they may cost."""

import pytest

from local_sagemaker.conformance.plan import QUESTION_JOB, make_plan
from local_sagemaker.conformance.requests import a_request, keeping_alive
from local_sagemaker.conformance.table import NOT_FOUND, TABLE, Row

REFUSED = ("ValidationException", "no")


def a_creation(request: dict[str, object]) -> Row:
    return Row("0.0", "U", "unknown", "create_training_job", REFUSED, request)


def test_every_row_is_replayed_or_left_out_with_a_reason() -> None:
    plan = make_plan(60)
    replayed = [*plan.without_job, *(row for rows in plan.rows.values() for row in rows)]
    assert len(replayed) + len(plan.left_out) == len(TABLE)
    assert all(reason for _row, reason in plan.left_out)


@pytest.mark.parametrize(
    "row",
    [
        a_creation(a_request(ResourceConfig={"InstanceType": "ml.p5.48xlarge", "InstanceCount": 1})),
        a_creation(a_request(ResourceConfig=a_request()["ResourceConfig"] | {"InstanceCount": 2})),
        a_creation(a_request(StoppingCondition={"MaxRuntimeInSeconds": 86400})),
        a_creation(keeping_alive(600)),
    ],
)
def test_requests_that_could_cost_much_are_left_out(row: Row) -> None:
    assert make_plan(60, [row]).left_out == [(row, "it could cost too much if the account accepted it")]


def test_jobs_of_other_users_are_left_alone() -> None:
    foreign = {"TrainingJobName": "somebody-elses"}
    row = Row("0.0", "B", "completed", "delete_training_job", {}, foreign)
    assert make_plan(60, [row]).left_out == [(row, "it does not name a job of this script")]


def test_the_limit_counts_every_creation_even_one_that_must_be_refused() -> None:
    nothing = make_plan(60, []).most_instance_seconds()
    assert nothing >= QUESTION_JOB.request()["StoppingCondition"]["MaxRuntimeInSeconds"]
    refused = make_plan(60, [a_creation(a_request())]).most_instance_seconds()
    assert refused - nothing >= a_request()["StoppingCondition"]["MaxRuntimeInSeconds"]
    free = make_plan(60, [Row("0.0", "C", "unknown", "describe_training_job", NOT_FOUND)])
    assert free.most_instance_seconds() == nothing


def test_rows_that_end_a_state_are_replayed_last_in_it() -> None:
    for rows in make_plan(60).rows.values():
        for state in {row.state for row in rows}:
            ends = [row.succeeds and row.call.startswith(("stop", "delete")) for row in rows if row.state == state]
            assert ends == sorted(ends)
