"""JobIndex and JobStore: the jobs that wait for others."""

from dataclasses import replace

from scheduler.core.jobs import user_actions
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.dependencies.successors import after_check
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.start_conditions import JobDependencies
from support.builders.jobs import GPU, NOON, a_job
from support.dynamodb.stores import Stores

BUDGET = Budget.parse(f"{GPU}=2")


def submit(stores: Stores, name: str, awaits: str = "", **changes: object) -> Job:
    dependencies = JobDependencies(after_ok=(awaits,) if awaits else ())
    stores.jobs.submit(a_job(name, dependencies=dependencies, awaits=awaits, **changes), {})
    return stores.jobs.get(name)


def ended(job: Job, state: JobState) -> Job:
    return replace(job, status=replace(job.status, state=state))


def all_names(stores: Stores, limit: int) -> list[str]:
    names, token = list[str](), None
    while True:
        page = stores.dependencies.all_successors(token, limit)
        names += [job.name for job in page.jobs]
        token = page.next_token
        if token is None:
            return names


def test_the_successors_of_a_job_are_found_by_its_name_the_highest_priority_first(stores: Stores) -> None:
    for name in ("prep", "prep-2"):
        submit(stores, name)
    submit(stores, "train", "prep")
    submit(stores, "urgent", "prep", priority=5)
    submit(stores, "other", "prep-2")
    assert [job.name for job in stores.dependencies.successors("prep", 10)] == ["urgent", "train"]
    assert [job.name for job in stores.dependencies.successors("prep", 1)] == ["urgent"]
    assert stores.dependencies.successors("train", 10) == ()


def test_a_sweep_pages_through_all_jobs_that_wait_for_others_and_those_parked_for_it(stores: Stores) -> None:
    prep = submit(stores, "prep")
    submit(stores, "a", "prep", priority=2)
    submit(stores, "b", "prep", priority=1)
    parked = submit(stores, "c", "prep")
    stores.jobs.save(after_check(parked, {"prep": ended(prep, JobState.FAILED)}, NOON), by="schedule")
    held = submit(stores, "held", "prep")
    stores.jobs.save(user_actions.hold(held, held.owner, NOON), by="api")
    for limit in (1, 2, 3, 10):
        assert all_names(stores, limit) == ["a", "b", "c"]


def test_a_job_that_waits_for_another_is_listed_but_is_no_candidate_until_it_is_released(stores: Stores) -> None:
    prep = submit(stores, "prep", state=JobState.HELD)
    job = submit(stores, "train", "prep")
    assert stores.index.candidates(BUDGET) == ()
    assert stores.index.positions([job], within=10) == {}
    assert {job.name for job in stores.index.page(JobFilter(), 10, None, NOON).jobs} == {"prep", "train"}
    released = after_check(job, {"prep": ended(prep, JobState.COMPLETED)}, NOON)
    saved = stores.jobs.save(released, by="schedule")
    assert stores.index.candidates(BUDGET) == (saved,)
    assert all_names(stores, 10) == []


def test_jobs_are_read_by_name_and_those_that_do_not_exist_are_left_out(stores: Stores) -> None:
    job = submit(stores, "prep")
    assert stores.dependencies.predecessors({"prep", "gone"}) == {"prep": job}
    assert stores.dependencies.predecessors([]) == {}
