"""Properties of jobs that wait for others, over random submissions, ends, requeues and checks."""

from contextlib import suppress
from datetime import datetime, timedelta
from graphlib import CycleError, TopologicalSorter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from scheduler.core.jobs import user_actions
from scheduler.core.jobs.dependencies.successors import after_check, at_submission
from scheduler.core.jobs.dependencies.verdict import Outlook, verdict_on
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import FINISHED, JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.start_conditions import IfNeverSatisfied, JobDependencies, array_key
from scheduler.errors.refusals import BadRequest
from support.account.simulated_queue import ADA, SimulatedQueue
from support.builders.jobs import NOON, a_job, changed_job

ENDS = {
    "after_ok": {JobState.COMPLETED},
    "after_any": {JobState.COMPLETED, JobState.FAILED, JobState.STOPPED},
    "after_not_ok": {JobState.FAILED, JobState.STOPPED},
}
_lists = st.lists(st.integers(0, 30), max_size=2)


class Chains(RuleBasedStateMachine):
    """Jobs are submitted behind earlier ones, end and run again; a check of all may happen at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.now: datetime = NOON
        self.jobs: dict[str, Job] = {}
        self.forced: set[str] = set()  # requeued after they were given up
        self.is_checked = True

    @rule(ok=_lists, at_any=_lists, not_ok=_lists, if_never=st.sampled_from(IfNeverSatisfied))
    def submit(self, ok: list[int], at_any: list[int], not_ok: list[int], if_never: IfNeverSatisfied) -> None:
        names, free = [*self.jobs], set(self.jobs)
        chosen = list[tuple[str, ...]]()
        for numbers in (ok, at_any, not_ok):
            found = {names[number % len(names)] for number in numbers} & free if names else set()
            free -= found
            chosen.append(tuple(sorted(found)))
        dependencies = JobDependencies(chosen[0], chosen[1], chosen[2], if_never)
        verdict = verdict_on(dependencies, self.jobs)
        job = a_job(f"job{len(names)}", dependencies=dependencies, submitted_at=self.now)
        if verdict.outlook is not Outlook.NEVER:
            self._write(at_submission(job, verdict, self.jobs))

    @precondition(lambda self: any(job.is_queued and not job.is_deferred for job in self.jobs.values()))
    @rule(data=st.data(), state=st.sampled_from(sorted(FINISHED)))
    def end(self, data: st.DataObject, state: JobState) -> None:
        able = [job for job in self.jobs.values() if job.is_queued and not job.is_deferred]
        self._write(changed_job(data.draw(st.sampled_from(able)), state=state))

    @precondition(lambda self: self._requeueable())
    @rule(data=st.data())
    def requeue(self, data: st.DataObject) -> None:
        job = data.draw(st.sampled_from(self._requeueable()))
        if job.status.reason.code is ReasonCode.DEPENDENCY_NEVER_SATISFIED:
            self.forced.add(job.name)
        self._write(user_actions.requeue(job, ADA, self.now))

    @rule()
    def check(self) -> None:
        self.now += timedelta(minutes=1)
        before = dict(self.jobs)
        for job in before.values():  # in any order, each as the states are now
            changed = after_check(job, self.jobs, self.now)
            if job.status.awaits and not changed.status.awaits:
                assert self._is_satisfied(job), f"{job.name} is released too early"
            self.jobs[job.name] = changed
        self.is_checked = all(after_check(job, self.jobs, self.now) is job for job in self.jobs.values())

    @invariant()
    def no_job_waits_for_a_later_one(self) -> None:
        order = [*self.jobs]
        for place, name in enumerate(order):
            assert set(self.jobs[name].options.dependencies.predecessors) <= set(order[:place])

    @invariant()
    def after_a_check_each_job_waits_exactly_as_long_as_it_has_to(self) -> None:
        if not self.is_checked:
            return
        for job in self.jobs.values():
            if job.status.awaits and (job.is_queued or job.follows_others):
                assert not self._is_satisfied(job), f"{job.name} waits too long"
                assert job.is_queued != self._is_hopeless(job)

    def _write(self, job: Job) -> None:
        self.jobs[job.name], self.is_checked = job, False

    def _requeueable(self) -> list[Job]:
        able = {JobState.FAILED, JobState.STOPPED, JobState.PARKED}
        return [job for job in self.jobs.values() if job.status.state in able]

    def _is_satisfied(self, job: Job) -> bool:
        return all(self.jobs[name].status.state in ends for name, ends in _predecessors(job))

    def _is_hopeless(self, job: Job) -> bool:
        states = [(self.jobs[name].status.state, ends) for name, ends in _predecessors(job)]
        return any(state in FINISHED and state not in ends for state, ends in states)


def _predecessors(job: Job) -> list[tuple[str, set[JobState]]]:
    return [(name, ends) for option, ends in ENDS.items() for name in getattr(job.options.dependencies, option)]


Chains.TestCase.settings = settings(stateful_step_count=40, deadline=None)
test_each_job_is_released_exactly_when_it_may_be = Chains.TestCase


@pytest.mark.parametrize("first", ["a", "b", "c"])
@pytest.mark.parametrize("option", ENDS)
def test_no_order_of_submissions_makes_a_cycle(first: str, option: str) -> None:
    """a waits for b, b for c, and c for a: the first of them names a job that does not exist."""
    behind = {"a": "b", "b": "c", "c": "a"}
    world = SimulatedQueue()
    with pytest.raises(BadRequest, match=f"there is no job or array named {behind[first]}"):
        world.submit(first, tags={f"queue:{option.replace('_', '-')}": behind[first]})
    assert not world.store.jobs


_NAMES = ("a", "b", "a-0", "b-1")


@settings(max_examples=30, deadline=None)
@given(
    submissions=st.lists(
        st.tuples(st.sampled_from(["job", "array"]), st.sampled_from(_NAMES), st.sets(st.sampled_from(_NAMES))),
        min_size=2,
        max_size=7,
    ),
    runs=st.booleans(),
)
def test_jobs_and_arrays_never_wait_for_each_other(submissions: list[tuple[str, str, set[str]]], *, runs: bool) -> None:
    """Each is submitted in any order, with any dependencies. A child waits as its array does, an array for all."""
    world = SimulatedQueue()
    for kind, name, named in submissions:
        with suppress(BadRequest):
            if kind == "job":
                world.submit(name, tags={"queue:after-any": "+".join(sorted(named))} if named else {})
            else:
                world.submit_array(name, 2, options={"after_any": sorted(named)} if named else {})
        if runs:
            world.run(30)
    graph = {name: _keys(job) for name, job in world.store.jobs.items()}
    for name, array in world.store.arrays.items():
        graph[array_key(name)] = {*_keys(array.first), *(array.name_of(number) for number in range(2))}
    assert not _has_cycle(graph)


def _has_cycle(graph: dict[str, set[str]]) -> bool:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return True
    return False


def _keys(job: Job) -> set[str]:
    dependencies = job.options.dependencies
    return {dependencies.key_of(name) for name in dependencies.predecessors}
