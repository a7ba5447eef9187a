"""QueueIndex: the order of waiting jobs, and the candidates of a cycle."""

from collections.abc import Iterable
from datetime import timedelta

import pytest

from contract.jobs.submitting import submit
from scheduler.adapters.dynamodb.jobs import index
from scheduler.core.history.runtime_stats import RuntimeStats
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.ordering import candidate_selection
from scheduler.core.planner.ordering.candidate_selection import MIN_PER_GROUP
from scheduler.core.planner.ordering.queue_order import sort_by_priority
from scheduler.core.planner.policy import Policy
from scheduler.ports.job_index import Page
from support.builders.jobs import NOON, a_job, changed_job
from support.dynamodb.stores import Stores

BUDGET = Budget.parse("ml.g5.xlarge=2")


def names(jobs: Iterable[Job]) -> list[str]:
    return [job.name for job in jobs]


def test_the_queue_is_ordered_by_priority_then_submission_then_name(stores: Stores) -> None:
    early, late = NOON, NOON + timedelta(microseconds=1)
    submit(
        stores,
        a_job("least", priority=-1_000_000),
        a_job("b", priority=2, submitted_at=late),
        a_job("c", priority=2, submitted_at=early),
        a_job("negative", priority=-5),
        a_job("most", priority=1_000_000),
        a_job("a", priority=2, submitted_at=late),
        a_job("ten", priority=10),
        a_job("zero"),
    )
    expected = ["most", "ten", "c", "a", "b", "zero", "negative", "least"]
    assert names(stores.index.candidates(BUDGET)) == expected
    assert stores.index.positions(stores.index.candidates(BUDGET), 100) == {
        name: place for place, name in enumerate(expected, start=1)
    }


def test_jobs_moved_to_the_top_come_first_within_their_priority_the_last_moved_first(
    stores: Stores,
) -> None:
    submit(
        stores,
        a_job("high", priority=1, submitted_at=NOON + timedelta(hours=2)),
        a_job("old"),
        a_job("first-moved", submitted_at=NOON + timedelta(hours=1), on_top_since=NOON + timedelta(hours=2)),
        a_job("last-moved", submitted_at=NOON + timedelta(hours=1), on_top_since=NOON + timedelta(hours=3)),
        a_job("low", priority=-1, on_top_since=NOON + timedelta(hours=3)),
    )
    expected = ["high", "last-moved", "first-moved", "old", "low"]
    assert names(stores.index.candidates(BUDGET)) == expected
    assert names(sort_by_priority(stores.index.candidates(BUDGET), Policy(), RuntimeStats())) == expected
    assert stores.index.positions(stores.index.candidates(BUDGET), 100) == {
        name: place for place, name in enumerate(expected, start=1)
    }


def test_only_waiting_jobs_are_in_the_queue(stores: Stores) -> None:
    for state in JobState:
        submit(stores, a_job(state.value, state=state))
    waiting = stores.index.candidates(BUDGET)
    assert set(names(waiting)) == {"pending", "preempted"}
    assert stores.index.positions(waiting, 100) == {"pending": 1, "preempted": 2}


def test_no_job_hides_behind_a_backlog_of_other_kinds(stores: Stores) -> None:
    crowd = [a_job(f"job-{n:03}", submitted_at=NOON + timedelta(seconds=n)) for n in range(130)]
    late = NOON + timedelta(days=1)
    other_type = a_job("other-type", submitted_at=late, demand=Demand.of({"ml.p5.48xlarge": 1}))
    other_owner = a_job("other-owner", submitted_at=late, owner="bob")
    other_limit = a_job("other-limit", submitted_at=late, max_runtime=60)
    saves = a_job("saves", submitted_at=late, checkpoint_uri="s3://bucket/saves")
    failed = a_job("failed", submitted_at=late, not_before=late)
    lowest = a_job("lowest", priority=-1, submitted_at=late)
    others = (other_type, other_owner, other_limit, saves, failed, lowest)
    submit(stores, *crowd, *others)
    found = stores.index.candidates(BUDGET)
    assert {job.name for job in others} < set(names(found))
    oldest = [f"job-{n:03}" for n in range(MIN_PER_GROUP)]
    assert sorted(name for name in names(found) if name.startswith("job-")) == oldest


def test_no_job_hides_behind_jobs_of_one_owner_that_are_all_of_different_kinds(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidate_selection, "MAX_CANDIDATES", 16)
    crowd = [a_job(f"crowd-{n:03}", priority=9, owner="mallory", max_runtime=60 + n) for n in range(130)]
    lower = a_job("crowd-lower", priority=8, owner="mallory")
    victims = [a_job(f"victim-{n}", max_runtime=60 + n) for n in range(2)]
    submit(stores, *crowd, lower, *victims)
    found = names(stores.index.candidates(BUDGET))
    assert {"victim-0", "victim-1"} < set(found)
    assert len(found) == 16


def test_of_each_kind_there_are_more_candidates_than_the_budget_could_run(stores: Stores) -> None:
    submit(stores, *(a_job(f"job-{n:03}", submitted_at=NOON + timedelta(seconds=n)) for n in range(130)))
    large = Budget.parse("ml.g5.xlarge=110")
    assert names(stores.index.candidates(large)) == [f"job-{n:03}" for n in range(111)]


def test_positions_are_known_for_jobs_that_are_no_candidates_too(stores: Stores) -> None:
    crowd = [a_job(f"job-{n:03}", submitted_at=NOON + timedelta(seconds=n)) for n in range(40)]
    submit(stores, *crowd)
    assert stores.index.positions([crowd[39], crowd[0]], 100) == {"job-039": 40, "job-000": 1}
    assert stores.index.positions([], 100) == {}


def test_places_are_counted_no_further_than_asked_for(stores: Stores) -> None:
    crowd = [a_job(f"job-{n}", submitted_at=NOON + timedelta(seconds=n)) for n in range(5)]
    submit(stores, *crowd)
    assert stores.index.positions(crowd, within=3) == {"job-0": 1, "job-1": 2, "job-2": 3}
    assert stores.index.positions(crowd[2:3], within=3) == {"job-2": 3}
    assert stores.index.positions(crowd[3:4], within=3) == {}


def test_parked_jobs_are_found_by_what_they_are_parked_for(stores: Stores) -> None:
    budget, rule = Reason(ReasonCode.EXCEEDS_BUDGET), Reason(ReasonCode.RULE_VIOLATED)
    asides = [a_job(f"wide-{n}", state=JobState.PARKED, reason=budget, priority=-n) for n in range(3)]
    submit(
        stores,
        *asides,
        a_job("bad", state=JobState.PARKED, reason=rule),
        a_job("held", state=JobState.HELD, reason=budget),
    )
    first = stores.index.parked_for(ReasonCode.EXCEEDS_BUDGET, None, 2)
    assert names(first.jobs) == ["wide-0", "wide-1"]
    rest = stores.index.parked_for(ReasonCode.EXCEEDS_BUDGET, first.next_token, 2)
    assert (names(rest.jobs), rest.next_token) == (["wide-2"], None)
    assert stores.index.parked_for(ReasonCode.CAPACITY, None, 2) == Page(())


def test_parked_jobs_are_found_behind_many_that_are_parked_for_something_else(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "MAX_RECORDS_PER_PAGE", 2)
    budget, rule = Reason(ReasonCode.EXCEEDS_BUDGET), Reason(ReasonCode.RULE_VIOLATED)
    bad = [a_job(f"bad-{n}", state=JobState.PARKED, reason=rule, priority=1) for n in range(5)]
    submit(stores, *bad, a_job("wide", state=JobState.PARKED, reason=budget))
    page = stores.index.parked_for(ReasonCode.EXCEEDS_BUDGET, None, 9)
    found = names(page.jobs)
    while page.next_token:
        page = stores.index.parked_for(ReasonCode.EXCEEDS_BUDGET, page.next_token, 9)
        found += names(page.jobs)
    assert found == ["wide"]


def test_the_first_of_its_priority_is_known_as_such(stores: Stores) -> None:
    later = NOON + timedelta(seconds=1)
    submit(stores, a_job("urgent", priority=1), a_job("first"), a_job("second", submitted_at=later))
    assert [stores.index.is_first(stores.jobs.get(name)) for name in ("urgent", "first", "second")] == [
        True,
        True,
        False,
    ]
    stores.jobs.save(changed_job(stores.jobs.get("second"), on_top_since=later), by="api")
    assert [stores.index.is_first(stores.jobs.get(name)) for name in ("urgent", "first", "second")] == [
        True,
        False,
        True,
    ]


def test_a_job_leaves_the_queue_and_comes_back_to_its_place(stores: Stores) -> None:
    submit(stores, a_job("first"), a_job("second", submitted_at=NOON + timedelta(seconds=1)))
    parked = stores.jobs.save(changed_job(stores.jobs.get("first"), state=JobState.PARKED), by="schedule")
    assert names(stores.index.candidates(BUDGET)) == ["second"]
    stores.jobs.save(changed_job(parked, state=JobState.PENDING), by="api")
    assert names(stores.index.candidates(BUDGET)) == ["first", "second"]


def test_owners_and_states_of_waiting_jobs_are_read_without_the_jobs(stores: Stores) -> None:
    mine = [a_job("first", owner="ada"), a_job("second", owner="ada", priority=5)]
    held, parked = (a_job(state, owner="ada", state=state) for state in (JobState.HELD, JobState.PARKED))
    submit(stores, *mine, held, parked, a_job("other", owner="bob"))
    expected = [("ada", "held"), ("ada", "parked"), ("ada", "pending"), ("ada", "pending"), ("bob", "pending")]
    assert sorted((job.owner, job.state.value) for job in stores.index.waiting()) == expected
    stores.jobs.save(changed_job(mine[0], state=JobState.STOPPED), by="api")
    assert sum(job.owner == "ada" for job in stores.index.waiting()) == 3
