"""Properties of the planner over a queue's life, with random submissions, ends and stops."""

from datetime import datetime, timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.plan_effects import MAX_PASSES, preempted
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import NOON, an_attempt, changed_job
from support.builders.random_snapshots import TYPES, demands, elastic, policies, queued_jobs


class QueueLife(RuleBasedStateMachine):
    """Time passes, jobs come and go, and each plan is carried out as a cycle does it."""

    def __init__(self) -> None:
        super().__init__()
        self.now: datetime = NOON
        self.queued: dict[str, Job] = {}
        self.live: dict[str, LiveJob] = {}
        self.submitted = 0
        self.finished = 0

    @initialize(policy=policies, counts=st.fixed_dictionaries({kind: st.integers(2, 6) for kind in TYPES}))
    def open(self, policy: Policy, counts: dict[str, int]) -> None:
        self.policy = policy
        self.budget = Budget(Demand.of(counts), TYPES)

    @rule(job=queued_jobs("job"), most=st.integers(2, 4))
    def submit_elastic(self, job: Job, most: int) -> None:
        name = f"job{self.submitted}"
        self.submitted += 1
        prefix = f"s3://b/{name}"
        self.queued[name] = elastic(changed_job(job, name=name, submitted_at=self.now, checkpoint_uri=prefix), most)

    @rule(job=queued_jobs("job"), demand=demands)
    def submit(self, job: Job, demand: Demand) -> None:
        name = f"job{self.submitted}"
        self.submitted += 1
        self.queued[name] = changed_job(job, name=name, demand=demand, submitted_at=self.now, checkpoint_uri=None)

    @rule(minutes=st.integers(1, 90))
    def wait(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @precondition(lambda self: any(one.job.status.state is JobState.RUNNING for one in self.live.values()))
    @rule(data=st.data())
    def complete(self, data: st.DataObject) -> None:
        running = sorted(name for name, one in self.live.items() if one.job.status.state is JobState.RUNNING)
        del self.live[data.draw(st.sampled_from(running))]
        self.finished += 1

    @precondition(lambda self: any(one.job.status.state is JobState.STOPPING for one in self.live.values()))
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        stopping = sorted(name for name, one in self.live.items() if one.job.status.state is JobState.STOPPING)
        one = self.live.pop(data.draw(st.sampled_from(stopping)))
        assert one.job.status.stop is not None
        past = EndedAttempt(
            one.attempt.name,
            one.attempt.number,
            Outcome.PREEMPTED,
            one.attempt.reserved_at,
            self.now,
            beneficiary=one.job.status.stop.asked_by,
        )
        self.queued[one.job.name] = changed_job(
            one.job,
            state=JobState.PREEMPTED,
            stop=None,
            preemptions=one.job.status.preemptions + 1,
            history=(*one.job.status.history, past),
        )

    @rule()
    def cycle(self) -> None:
        """Pass after pass, as the real one: a preemption may let another job start on what is free already."""
        for _ in range(MAX_PASSES):
            decided = plan(self.snapshot(), self.now)
            if not (decided.launches or decided.preemptions or decided.parks):
                return
            self._check_no_second_wave(decided)
            self._carry_out(decided)
        pytest.fail("the cycle does not come to rest")

    def _carry_out(self, decided: Plan) -> None:
        for entry in decided.launches:
            del self.queued[entry.job.name]
            running = Reason(ReasonCode.RUNNING)
            attempts = entry.job.status.attempts + 1
            job = changed_job(entry.job, state=JobState.RUNNING, attempts=attempts, reason=running)
            self.live[job.name] = LiveJob(job, an_attempt(job, job.status.attempts, created=True, reserved_at=self.now))
        for stop in decided.preemptions:
            one = self.live[stop.victim.job.name]
            self.live[one.job.name] = preempted(stop, self.now)
        for park in decided.parks:
            del self.queued[park.job.name]
            self.finished += 1

    def _check_no_second_wave(self, decided: Plan) -> None:
        """Checks that no job gets new victims while earlier ones are still stopping."""
        served = {one.job.status.stop.asked_by for one in self.live.values() if one.job.status.stop}
        for entry in decided.preemptions:
            assert entry.beneficiary.name not in served, entry.beneficiary.name

    def snapshot(self) -> Snapshot:
        return Snapshot(self.budget, tuple(self.live.values()), tuple(self.queued.values()), self.policy)

    @invariant()
    def the_budget_holds(self) -> None:
        if self.live:
            assert self.snapshot().held.fits(self.budget.limit)

    @invariant()
    def no_job_is_lost_or_doubled(self) -> None:
        assert not self.queued.keys() & self.live.keys()
        assert len(self.queued) + len(self.live) + self.finished == self.submitted

    @invariant()
    def nobody_is_preempted_more_often_than_allowed(self) -> None:
        assert all(job.status.preemptions <= self.policy.preemptions_per_job for job in self.queued.values())


TestQueueLife = QueueLife.TestCase
TestQueueLife.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
