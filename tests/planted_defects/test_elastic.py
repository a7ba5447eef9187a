"""Each property of elastic jobs fails on a planner with a planted defect."""

from dataclasses import replace

import pytest

from property import (
    test_growing,
    test_narrowing,
)
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner import preemption
from scheduler.core.planner.elastic import growing, narrowing
from scheduler.core.planner.ordering import queue_order
from scheduler.core.planner.placement.capacity_ledger import CapacityLedger
from support.planted_defects import Planted, expect_failure


def one_more_than_its_most(job: Job, *_: object) -> list[Job]:
    ((line, count),) = job.choices[0].demand.counts
    return [replace(job, spec=replace(job.spec, demand=Demand.of({line: count + 1})))]


PLANTED: dict[str, Planted] = {
    "elastic jobs are stopped like others": (
        test_narrowing.test_nobody_is_stopped_outright_while_elastic_jobs_can_give_enough,
        (narrowing, "narrower_widths", lambda _: ()),
    ),
    "elastic jobs give all that they can": (
        test_narrowing.test_a_narrowed_job_gives_up_no_more_than_needed,
        (narrowing._Search, "_give_back", lambda *_: None),
    ),
    "the instances of a narrowed job are given away": (
        test_narrowing.test_a_narrowed_job_continues_on_what_is_held_for_it_whoever_else_of_its_rank_waits,
        (queue_order, "move_continuing_first", lambda jobs, _: jobs),
    ),
    "the instances of a narrowed job are not held while it stops": (
        test_narrowing.test_a_narrowed_job_continues_on_what_is_held_for_it_whoever_else_of_its_rank_waits,
        (LiveJob, "continues_on", NOTHING),
    ),
    "a narrowed job takes the instances of another": (
        test_narrowing.test_a_narrowed_job_continues_on_what_is_held_for_it_whoever_else_of_its_rank_waits,
        (Job, "is_narrowed", False),
    ),
    "jobs grow onto instances that waiting jobs can use": (
        test_growing.test_no_waiting_job_can_use_the_instances,
        (growing, "_is_delayed", lambda *_: False),
    ),
    "jobs grow while they are protected": (
        test_growing.test_only_jobs_that_may_be_preempted_and_can_resume_grow,
        (preemption, "_may_be_preempted", lambda live, *_: preemption._can_be_stopped(live)),
    ),
    "jobs grow although they lose more than they gain": (
        test_growing.test_the_gain_exceeds_the_cost,
        (growing, "seconds_saved", lambda *_: 1.0),
    ),
    "jobs grow beyond their largest number": (
        test_growing.test_a_job_grows_to_a_larger_number_of_its_range,
        (growing, "open_choices", one_more_than_its_most),
    ),
    "two jobs grow onto the same instances": (
        test_growing.test_all_growths_fit_the_budget_together,
        (CapacityLedger, "widen", lambda *_: None),
    ),
    "another job grows before the first has started again": (
        test_growing.test_while_it_stops_no_other_job_grows,
        (growing, "_is_growing", lambda _: False),
    ),
    "the instances of a growing job are given away": (
        test_growing.test_it_continues_on_at_least_as_many_instances_whoever_else_of_its_rank_waits,
        (Job, "continues", False),
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expect_failure(PLANTED[name], monkeypatch)
