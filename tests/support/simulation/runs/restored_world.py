"""Plays a world whose table is restored from an old backup. The judges use SageMaker's records alone.

Requests of users and ends of attempts since the backup are lost, so they are not judged. Jobs accepted since are
unmanaged: they hold budget until they end, and are new when submitted again.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from random import Random

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.job import TrainingJob
from scheduler.adapters.dynamodb.records.job_records import job_from
from scheduler.core.jobs.job import Job
from support.account.account import Account
from support.account.function_calls import SWEEP_SECONDS
from support.builders.past_jobs import add_past_jobs
from support.faults.call_faults import NoEvents, NoFaults
from support.faults.random_faults import RandomFaults
from support.simulation.actors.actors import Actors
from support.simulation.judges.checks import Checks, Violation
from support.simulation.judges.configurations import ConfigurationJudge
from support.simulation.judges.held_instances import instances_held_by
from support.simulation.judges.invariants import Invariants
from support.simulation.judges.lease import LeaseJudge
from support.simulation.judges.rules import RuleJudge
from support.simulation.judges.service_calls import ServiceCallJudge
from support.simulation.runs.liveness import AT_REST, LONG_ENOUGH
from support.simulation.runs.random_world import Failure, draw_lists, has_other_jobs
from support.simulation.submissions.squatters import owner_of
from support.simulation.submissions.training_requests import TYPES, random_course
from support.simulation.submissions.user_requests import UserRequests

#: Seconds: the youngest backup that AWS restores, and the outage during the restore.
_LEAST_AGE = 300.0
_OUTAGES = (60.0, 60.0, 600.0)
#: Reconciliation is due at once, and reads the list in parts.
_ADOPTED_WITHIN = 15 * 60.0
#: Training jobs that others start during the outage, in some worlds.
_OTHER_JOBS = 1000


@dataclass
class Restored:
    """Judges a world from the restore on."""

    account: Account
    budget: Counter[str]
    checks: Checks
    configurations: ConfigurationJudge  # of the time before the restore

    def __post_init__(self) -> None:
        rules = RuleJudge(self.account, self.checks, self.configurations)
        service_calls = ServiceCallJudge(self.account, self.checks, rules)
        self.account.on_end, self.account.service_calls.on_call = service_calls.check_end_of, service_calls.check_call
        self.account.service_calls.on_effect = LeaseJudge(self.account, self.checks).check_effect
        self.account.on_step = partial(self._after_step, service_calls)
        self.accepted, self.restored_at = self.jobs().keys(), self.account.now

    def jobs(self) -> dict[str, Job]:
        items = self.account.table.items
        return {pk.removeprefix("JOB#"): job_from(item) for (pk, sk), item in items.items() if sk == "JOB"}

    def training_jobs(self) -> list[TrainingJob]:
        """Returns the queue's training jobs."""
        return [job for job in self.account.simulation.machine.jobs.values() if owner_of(job)]

    def _is_lost(self, job: TrainingJob) -> bool:
        """Returns whether the attempt's job was submitted after the backup, and again after the restore, with another
        nonce.

        Then nothing proves that the training job is the job's attempt, which runs twice (docs/explain/reliability.md).
        """
        is_older = job.created_at < self.restored_at
        return is_older and owner_of(job) not in self.accepted and owner_of(job) in self.jobs()

    def check_adopted(self) -> None:
        live = {sk for pk, sk in self.account.table.items if pk == "LIVE"}
        for job in self.training_jobs():
            is_known = job.is_terminal or job.name in live or owner_of(job) not in self.accepted
            self.checks.check("L5", is_known, f"{job.name} is live and was not adopted")

    def check_end(self) -> None:
        self.checks.check("S3", self.accepted <= self.jobs().keys(), "an accepted job is gone")
        left = {key for key in self.account.table.items if key[0] in {"LIVE", "POOLS"}}
        self.checks.check("L1", not left, f"still reserved: {left}")

    def is_over(self) -> bool:
        jobs = self.jobs()
        is_held = any(job.holds_instances for job in self.training_jobs())
        return not is_held and all(job.is_finished or _rests(job, jobs) for job in jobs.values())

    def _after_step(self, service_calls: ServiceCallJudge) -> None:
        self.checks.repeat()
        if self.account.simulation.machine.take_changed():
            ours = [job for job in self.training_jobs() if not self._is_lost(job)]
            held = Counter[str]()
            for job in ours:
                if job.holds_instances:
                    held.update(instances_held_by(job))
            self.checks.check("S1", held <= self.budget, f"held {held} of {self.budget}")
            live = Counter(owner_of(job) for job in ours if not job.is_terminal)
            self.checks.check("S2", all(count == 1 for count in live.values()), f"two live attempts: {live}")
        service_calls.after_step()


def _rests(job: Job, jobs: Mapping[str, Job]) -> bool:
    """Returns whether the job, or a job for which it waits, can continue only if a user acts."""
    if job.status.state in AT_REST:
        return True
    awaited = jobs.get(job.status.awaits) if job.is_queued else None
    return awaited is not None and awaited.options.times.expires is None and _rests(awaited, jobs)


def run(seed: int) -> Counter[str]:
    """Plays one world, and returns the counts of checks. Raises Failure."""
    random = Random(f"restore/{seed}")  # noqa: S311 - worlds, not secrets
    budget = {TYPES[0]: random.choice([1, 2, 3]), TYPES[1]: random.choice([1, 2])}
    account = Account(
        RandomFaults(random),
        parameters={"InstanceBudget": ",".join(f"{kind}={count}" for kind, count in budget.items())},
        behaviour=Behaviour(unknowns=Unknowns(**draw_lists(seed)), startup=lambda _: 20.0),
        course=partial(random_course, seed),
        longest_list=max(random.choice([100, 3]), 100 * has_other_jobs(seed)),
        seed=seed,
    )
    user_requests = UserRequests()
    invariants = Invariants(account, user_requests, budget)
    actors = Actors(account, user_requests, invariants, random, jobs=8, operators_act=False)
    checks = Checks()
    try:
        account.run(random.choice([300, 900]))
        backup = dict(account.table.items)
        account.run(_LEAST_AGE + random.choice([0, 300, 900]))
        actors.rest()
        stopped_at = account.now
        account.interrupt(random.choice(_OUTAGES))
        if has_other_jobs(seed):
            add_past_jobs(account.simulation.machine, _OTHER_JOBS, stopped_at, account.now)
        account.table.restore(backup)
        restored = Restored(account, Counter(budget), checks, invariants.configurations)
        account.fault_plan = random.choice([account.fault_plan, NoFaults(), NoEvents()])
        if random.random() < 0.5:
            actors.submit_everything_again()
        account.run(_ADOPTED_WITHIN)
        account.fault_plan = NoFaults()
        account.run(_ADOPTED_WITHIN)
        restored.check_adopted()
        _run_to_the_end(restored)
    except Violation as violation:
        raise Failure(seed, str(violation), account.trace) from violation
    finally:
        account.close()
    return checks.counts


def _run_to_the_end(restored: Restored) -> None:
    end = restored.account.now + LONG_ENOUGH
    while not restored.is_over():
        restored.checks.check("L2", restored.account.now < end, f"not over: {restored.jobs()}")
        restored.account.run(SWEEP_SECONDS)
    restored.account.run(15 * SWEEP_SECONDS)
    restored.check_end()
