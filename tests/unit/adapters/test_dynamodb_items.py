"""A record that is written and read back is unchanged."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from boto3.dynamodb.types import TypeSerializer
from hypothesis import given
from hypothesis import strategies as st

from scheduler.adapters.dynamodb.records.job_records import attempt_from, attempt_item, job_from, job_item
from scheduler.adapters.dynamodb.records.record_converter import attribute_values
from scheduler.adapters.dynamodb.records.sort_keys import queue_key
from scheduler.core.history.runtime_stats import RuntimeStats
from scheduler.core.jobs.attempt import Attempt, EndedAttempt, FailureClass, Observation, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState, Stop
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.stop_notice import Save, StopNotice
from scheduler.core.planner.ordering.queue_order import sort_by_priority
from scheduler.core.planner.policy import Policy
from scheduler.errors.refusals import Violation
from support.builders.jobs import GPU, Choice, a_job

KATHMANDU = timezone(timedelta(hours=5, minutes=45))

times = st.datetimes(datetime(2020, 1, 1), datetime(2100, 1, 1), timezones=st.sampled_from([UTC, KATHMANDU]))  # noqa: DTZ001 (bounds have to be naive)
counts = st.integers(0, 10**9)
priorities = st.integers(-1_000_000, 1_000_000)
demands = st.dictionaries(st.sampled_from(["ml.g5.xlarge", "ml.p5.48xlarge"]), counts).map(Demand.of)
names = st.from_regex(r"[a-zA-Z0-9](-?[a-zA-Z0-9]){0,20}", fullmatch=True)
texts = st.text(max_size=40)
observations = st.builds(
    Observation,
    status=texts,
    secondary_status=texts,
    modified_at=times,
    message=texts,
    failure_reason=texts,
    training_started_at=st.none() | times,
    ended_at=st.none() | times,
    interruptions=counts,
)
saves = st.builds(Save, step=counts, saved_at=times, answers=st.none() | times)
numbers = st.integers(-(10**30), 10**30) | st.decimals(-1000, 1000, places=3)
values = st.recursive(
    st.none() | st.booleans() | texts | numbers | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(texts, inner),
    max_leaves=10,
)
attempts = st.builds(
    Attempt,
    name=names,
    job_name=names,
    number=counts,
    demand=demands,
    reserved_at=times,
    created=st.booleans(),
    stop_sent=st.booleans(),
    observation=st.none() | observations,
    needs_polling=st.booleans(),
    takes_notice=st.booleans(),
    notice=st.none() | st.builds(StopNotice, asked_at=times, deadline=times),
    saved=st.none() | saves,
)
past_attempts = st.builds(
    EndedAttempt,
    name=names,
    number=counts,
    outcome=st.sampled_from(Outcome),
    reserved_at=times,
    ended_at=times,
    training_started_at=st.none() | times,
    status=texts,
    secondary_status=texts,
    failure_reason=texts,
    beneficiary=texts,
    interruptions=counts,
    failure_class=st.none() | st.sampled_from(FailureClass),
    action=texts,
    saved=st.none() | saves,
)
jobs = st.builds(
    a_job,
    name=names,
    state=st.sampled_from(JobState),
    priority=priorities,
    demand=demands.filter(lambda demand: bool(demand.counts)),
    submitted_at=times,
    updated_at=times,
    owner=texts,
    digest=texts,
    reason=st.builds(Reason, st.sampled_from(ReasonCode), texts),
    max_runtime=counts,
    checkpoint_uri=st.none() | texts,
    attempts=counts,
    preemptions=counts,
    not_before=st.none() | times,
    on_demand=st.booleans(),
    warnings=st.lists(st.builds(Violation, texts, texts, texts, texts), max_size=2).map(tuple),
    stop=st.none() | st.builds(Stop, asked_at=times, save_first=st.booleans()),
    history=st.lists(past_attempts, max_size=3).map(tuple),
    version=counts,
)


@given(jobs)
def test_a_job_comes_back_as_it_was(job: Job) -> None:
    assert job_from(job_item(job, changed_by="api")) == job


def test_a_job_with_alternatives_comes_back_as_each_of_its_choices() -> None:
    on_spot = Choice(Demand.of({GPU: 2}), 3600, spot=True, keep_alive=60, pool_key="key")
    choices = (on_spot, Choice(Demand.of({GPU: 1}), 7200, wait_for_better=600, has_own_limit=True))
    job = a_job(choices=choices, checkpoint_uri="s3://bucket/resnet", subnets=("subnet-1",), tags=(("team", "vision"),))
    for option in job.each_choice:
        assert job_from(job_item(option, changed_by="api")) == option


def test_the_record_of_a_job_is_flat_and_a_choice_has_only_what_it_decides() -> None:
    choices = (Choice(Demand.of({GPU: 2}), 3600, spot=True), Choice(Demand.of({GPU: 1}), 7200, wait_for_better=600))
    item = job_item(a_job(choices=choices, checkpoint_uri="s3://bucket/resnet").as_choice(1), changed_by="api")
    assert {"name", "state", "priority", "demand", "reason", "checkpoint_uri", "choice"} <= item.keys()
    assert item.keys().isdisjoint({"spec", "options", "status", "wait_for_better", "spot"})
    stored = [choice["M"].keys() for choice in item["choices"]["L"]]
    assert stored == [{"demand", "max_runtime", "spot"}, {"demand", "max_runtime", "wait_for_better"}]


@given(attempts)
def test_an_attempt_comes_back_as_it_was(attempt: Attempt) -> None:
    assert attempt_from(attempt_item(attempt, changed_by="schedule")) == attempt


@given(
    st.lists(
        st.builds(a_job, names, priority=priorities, submitted_at=times, on_top_since=st.none() | times), max_size=10
    )
)
def test_the_index_sorts_as_the_policy_does(waiting: list[Job]) -> None:
    assert sorted(waiting, key=queue_key) == sort_by_priority(waiting, Policy(), RuntimeStats())


@given(values)
def test_a_value_is_noted_as_boto3_would_note_it(value: object) -> None:
    assert attribute_values({"it": value}) == {"it": TypeSerializer().serialize(value)}


@pytest.mark.parametrize("value", [1.5, {1, 2}, Decimal("NaN"), object()])
def test_what_no_record_holds_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        attribute_values({"it": value})


def test_an_action_of_a_kind_that_only_a_newer_function_knows_is_ignored() -> None:
    held = {"at": "2026-11-21T12:00:00Z", "kind": "held", "by": "ada"}
    newer = {"at": "2026-11-21T12:01:00Z", "kind": "of-tomorrow", "by": "queue", "of": "tomorrow"}
    item = job_item(a_job(), changed_by="api") | attribute_values({"actions": [held, newer]})
    assert [action.kind for action in job_from(item).status.actions] == ["held"]
