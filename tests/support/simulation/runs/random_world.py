"""Plays one world from one seed: random actors and faults, and all judges after each step."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from random import Random
from typing import Any

from local_sagemaker.simulation import Workload
from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.job import Secondary
from scheduler.core.history.notices import NoticeKind
from support.account.account import Account
from support.account.function_calls import SWEEP_SECONDS
from support.account.webhooks import HOST
from support.builders.past_jobs import add_past_jobs
from support.faults.call_faults import FaultPlan, NoEvents, NoFaults
from support.faults.random_faults import RandomFaults
from support.faults.report_faults import ReportFaults
from support.simulation.actors.actors import Actors
from support.simulation.actors.context import APPROVED_NAMES, Emphasis
from support.simulation.actors.programs import Programs
from support.simulation.actors.random_sections import (
    random_approval_rule,
    random_costs_of_growth,
    random_hang_rule,
    random_idle_rule,
    random_interactive_cap,
    random_limit,
    random_nan_rule,
    random_policy,
)
from support.simulation.judges import attempt_statistics, callbacks, digests, history
from support.simulation.judges.attempt_statistics import record_past_attempts
from support.simulation.judges.checks import Violation
from support.simulation.judges.invariants import Invariants
from support.simulation.judges.spending import TEAMS
from support.simulation.runs.liveness import settle
from support.simulation.submissions.gpu_usage import measured
from support.simulation.submissions.log_lines import has_losses, last_line, line_with_losses, measured_cpus
from support.simulation.submissions.processing_requests import LINE, processing_course
from support.simulation.submissions.training_requests import TYPES, WIDE_BUDGET, course_of_wide_jobs, random_course
from support.simulation.submissions.tuning_requests import trial_course
from support.simulation.submissions.user_requests import UserRequests

#: The end of a script's output, as much as SageMaker reads, in letters of four bytes.
_LONG_MESSAGE = "\U00020000" * 1000
#: Training jobs that others start while the queue stands still, and the seconds for which it stands still.
_OTHER_JOBS = 1000
_PAUSES = (3 * 3600.0, 24 * 3600.0, 5 * 24 * 3600.0)


@dataclass
class Report:
    """The counts of one run or of several."""

    runs: int = 0
    steps: int = 0
    met: Counter[str] = field(default_factory=Counter)
    checked: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)  # permissions of the functions' roles
    states: dict[str, str] = field(
        default_factory=dict
    )  # final states of the last run, without jobs with preferences or an expiry

    def add(self, other: "Report") -> None:
        self.runs += other.runs
        self.steps += other.steps
        self.met += other.met
        self.checked += other.checked
        self.ends += other.ends
        self.used += other.used

    def as_markdown(self) -> str:
        rows = [f"{self.runs:,} runs, {self.steps:,} steps."]
        tables = {"fault or act": self.met, "checked": self.checked, "ends of jobs": self.ends, "permission": self.used}
        for title, counts in tables.items():
            rows += ["", f"| {title} | times |", "|---|---:|"]
            rows += [f"| {name} | {count:,} |" for name, count in sorted(counts.items())]
        return "\n".join(rows)


class Failure(Exception):
    """An invariant was violated. The text ends with the command that repeats the run."""

    def __init__(self, seed: int, what: str, trace: list[str]) -> None:
        super().__init__(seed, what, trace)
        self.seed, self.what, self.trace = seed, what, trace

    def __str__(self) -> str:
        return "\n".join([*self.trace, f"seed {self.seed}: {self.what}", f"make simulate SEED={self.seed} RUNS=1"])


def has_calendar(seed: int) -> bool:
    """Returns whether this world has a calendar."""
    return seed % 8 == 7


def has_limits(seed: int) -> bool:
    """Returns whether this world has a spending limit."""
    return seed % 8 == 3


def has_attackers(seed: int) -> bool:
    """Returns whether, in this world, attackers take names and replace stored requests."""
    return seed % 8 == 5


def has_large_data(seed: int) -> bool:
    """Returns whether this world has full records, records with one attempt, and failures with long texts."""
    return seed % 8 == 1


def has_other_jobs(seed: int) -> bool:
    """Returns whether other users start 1,000 training jobs while the queue is stopped, before its first job."""
    return seed % 8 == 2


def has_two_teams(seed: int) -> bool:
    """Returns whether jobs of two teams with quotas, reserves and ceilings compete in this world."""
    return seed % 8 in {4, 6}


def has_elastic_jobs(seed: int) -> bool:
    """Returns whether many jobs in this world are elastic, and run on few instances before they can grow."""
    return seed % 16 == 8


#: Mails all notices in half of the worlds.
MAIL = {
    "to": ["ops@example.org", "ada@example.org"],
    "kinds": [kind.value for kind in NoticeKind if kind is not NoticeKind.DIGEST],
}


def has_processing(seed: int) -> bool:
    """Returns whether users also submit processing jobs in this world."""
    return seed % 16 == 0


def has_tuning(seed: int) -> bool:
    """Returns whether users submit tuning jobs, too, in this world."""
    return seed % 16 == 0


def has_automl(seed: int) -> bool:
    """Returns whether people also start AutoML jobs outside the queue in this world."""
    return seed % 16 == 10


def has_callbacks(seed: int) -> bool:
    """Returns whether state machines wait for the jobs in this world."""
    return seed % 8 == 6


def has_pipelines(seed: int) -> bool:
    """Returns whether steps of SageMaker Pipelines also wait for jobs in this world."""
    return seed % 16 == 14


def has_receivers(seed: int) -> bool:
    """Returns whether buses and HTTPS endpoints also wait for jobs: in half of the worlds with callbacks."""
    return has_callbacks(seed) and Random(f"receivers of ends {seed}").random() < 0.5  # noqa: S311 - worlds, not secrets


def has_arrays(seed: int) -> bool:
    """Returns whether users submit arrays in this world: in a quarter of all worlds, regardless of other features."""
    return Random(f"has arrays {seed}").random() < 0.25  # noqa: S311 - worlds, not secrets


def has_approvals(seed: int) -> bool:
    """Returns whether large jobs of this world need an approval."""
    return Random(f"has approvals {seed}").random() < 0.1  # noqa: S311 - worlds, not secrets


def has_array_approvals(seed: int) -> bool:
    """Returns whether large arrays of this world need an approval, too."""
    is_drawn = Random(f"array approvals {seed}").random() < 0.5  # noqa: S311 - worlds, not secrets
    return is_drawn and has_approvals(seed) and has_arrays(seed)


def has_interactive_jobs(seed: int) -> bool:
    """Returns whether people work in the containers of some jobs of this world, up to a cap."""
    return Random(f"has interactive jobs {seed}").random() < 0.1  # noqa: S311 - worlds, not secrets


def has_digests(seed: int) -> bool:
    """Returns whether operators want daily digests in this world."""
    return Random(f"has digests {seed}").random() < 0.05  # noqa: S311 - worlds, not secrets


def has_shortages(seed: int) -> bool:
    """Returns whether SageMaker lacks instances most of the time in this world."""
    return _beginning(seed)[2] is Emphasis.SHORTAGES


def run(seed: int, calm: FaultPlan | None = None) -> Report:
    """Plays one world. Raises Failure. `calm` chooses the faults at the end."""
    random, faults, emphasis = _beginning(seed)
    budget = {TYPES[0]: random.choice([1, 2, 2, 3]), TYPES[1]: random.choice([1, 2, 2])}
    if has_elastic_jobs(seed):
        budget = WIDE_BUDGET
    if has_processing(seed):
        budget[LINE] = Random(f"processing instances {seed}").choice([2, 2, 3])  # noqa: S311 - worlds, not secrets
    account = Account(
        faults,
        parameters=_parameters(random, seed)
        | {"InstanceBudget": ",".join(f"{kind}={n}" for kind, n in budget.items())},
        configuration=_configuration(random, seed),
        behaviour=Behaviour(unknowns=_unknowns(random, seed), startup=lambda _: 20.0),
        course=partial(_course, seed),
        usage=partial(measured, seed),
        cpu_usage=partial(measured_cpus, seed),
        last_line=partial(last_line, seed),
        line=partial(line_with_losses, seed) if has_losses(seed) else lambda _: "step",
        largest_in_item=random.choice([None, None, 200]),
        longest_list=max(random.choice([100, 3, 3]), 100 * has_other_jobs(seed)),
        most_attempts=1 if has_large_data(seed) else None,
        seed=seed,
        report_faults=draw_report_faults(seed),
    )
    if has_other_jobs(seed):
        stand_still(account, Random(f"others {seed}").choice(_PAUSES))  # noqa: S311 - worlds, not secrets
    Programs(account, seed)
    past = record_past_attempts(account, seed)
    user_requests = UserRequests()
    invariants = Invariants(account, user_requests, budget)
    jobs = random.choice([4, 6, 8, 8])
    actors = Actors(
        account,
        user_requests,
        invariants,
        random,
        jobs,
        emphasis=emphasis,
        in_projects=has_limits(seed),
        in_two_teams=has_two_teams(seed),
        has_losses=has_losses(seed),
        has_approvals=has_approvals(seed),
        has_array_approvals=has_array_approvals(seed),
        has_interactive_jobs=has_interactive_jobs(seed),
        has_elastic_jobs=has_elastic_jobs(seed),
        has_pipelines=has_pipelines(seed),
        has_receivers=has_receivers(seed),
        attacks=Random(f"attacks {seed}") if has_attackers(seed) else None,  # noqa: S311 - worlds, not secrets
        large_records=Random(f"sizes {seed}") if has_large_data(seed) else None,  # noqa: S311 - same
        arrays=Random(f"arrays {seed}") if has_arrays(seed) else None,  # noqa: S311 - same
        processing=Random(f"processing {seed}") if has_processing(seed) else None,  # noqa: S311 - same
        tuning=Random(f"tuning {seed}") if has_tuning(seed) else None,  # noqa: S311 - same
        automl=Random(f"automl {seed}") if has_automl(seed) else None,  # noqa: S311 - same
    )
    try:
        account.run(random.choice([120, 600, 1200]))
        settle(account, actors, user_requests, invariants, calm or random.choice([NoFaults(), NoEvents()]))
        invariants.spending.check_end()
        deliver_reports(account)
        if has_digests(seed):
            digests.check(account)
        callbacks.check(account, user_requests)
        history.check(account, random, faults)
        were_readable = not any(act.startswith("record corrupted") for act in actors.done)
        recorded, deleted = invariants.jobs.values(), len(user_requests.deleted)
        attempt_statistics.check(account, past, recorded, deleted, were_readable=were_readable)
        if has_digests(seed) and were_readable:
            digests.check_owners(account, recorded, random)
    except Violation as violation:
        raise Failure(seed, str(violation), account.trace) from violation
    finally:
        account.close()
    # Left out: jobs with preferences. The selected type depends on the moment, and only some types have GPUs.
    # Same for tuning jobs, whose trials have other values after a preemption.
    states = {
        job.name: job.status.state.value
        for job in invariants.jobs.values()
        if not job.spec.has_preferences and job.options.times.expires is None and job.place is None
        if not job.spec.tuning
    }
    ends = Counter(f"{job.status.state} ({job.status.reason.code})" for job in invariants.jobs.values())
    met = faults.met + account.report_faults.met + actors.done + invariants.pools.ends()
    used = account.permissions.used
    return Report(1, account.steps, met, invariants.checked, ends, used, states)


def stand_still(account: Account, seconds: float) -> None:
    """Runs no function for this time, while other users start and end many training jobs."""
    account.run(130)  # it has read SageMaker's list
    while account.processes.alive:
        account.step()
    since = account.now
    account.simulation.run(seconds)
    add_past_jobs(account.simulation.machine, _OTHER_JOBS, since, account.now)


def deliver_reports(account: Account) -> None:
    """Ends the faults of reports, and waits until all of them have arrived."""
    if account.report_faults.rate:
        account.report_faults.rate = 0.0
        account.run(3 * SWEEP_SECONDS)
        while account.webhooks.waiting:
            account.run(SWEEP_SECONDS)


def draw_report_faults(seed: int) -> ReportFaults:
    rate = 0.08 if has_receivers(seed) else 0.0
    return ReportFaults(Random(f"faults of reports {seed}"), rate)  # noqa: S311 - worlds, not secrets


def draw_lists(seed: int) -> dict[str, Any]:
    """Draws how SageMaker lists training jobs and their tags."""
    random = Random(f"lists {seed}")  # noqa: S311 - worlds, not secrets
    return {
        "cuts_pages_first": random.random() < 0.5,
        "page_token_seconds": random.choice([inf, inf, 30.0]),
        "tagged_after_seconds": random.choice([0.0, 0.0, 5.0, 60.0, 240.0]),
    }


def _course_in(seed: int) -> Callable[[int, dict[str, Any]], Workload]:
    if has_elastic_jobs(seed):
        return course_of_wide_jobs
    if has_processing(seed):
        return _course_of_either_kind
    return _course_with_long_failures if has_large_data(seed) else random_course


def _course_of_either_kind(seed: int, request: dict[str, Any]) -> Workload:
    return processing_course(seed, request) if "ProcessingJobName" in request else random_course(seed, request)


def _course_with_long_failures(seed: int, request: dict[str, Any]) -> Workload:
    return replace(random_course(seed, request), message=_LONG_MESSAGE)


def _course(seed: int, request: dict[str, Any]) -> Workload:
    if "rate" in request.get("HyperParameters", {}):
        return trial_course(seed, request)
    return _course_in(seed)(seed, request)


def _beginning(seed: int) -> tuple[Random, RandomFaults, Emphasis]:
    random = Random(seed)  # noqa: S311 - worlds, not secrets
    faults = RandomFaults(random)
    (emphasis,) = random.choices(
        [Emphasis.PLAIN, Emphasis.SPOT_INTERRUPTIONS, Emphasis.CHANGED_MINDS, Emphasis.SHORTAGES], [5, 1, 3, 3]
    )
    return random, faults, Emphasis.CALENDAR if has_calendar(seed) else emphasis


def _parameters(random: Random, seed: int) -> dict[str, object]:
    return {
        "Callbacks": "on" if has_callbacks(seed) else "off",
        "WebhookHosts": HOST if has_receivers(seed) else "",
        "EventBus": "default",
        "BudgetScope": random.choice(["queue", "account"]),
        "GuardUnmanagedJobs": random.choice(["off", "warn", "stop", "stop"]),
        # Otherwise, wide jobs are forbidden at the end.
        **({"GuardUnmanagedJobs": "stop"} if has_elastic_jobs(seed) else {}),
        **({"Operators": "role/Scientist,role/Operator"} if has_approvals(seed) else {}),
    }


def _configuration(random: Random, seed: int) -> dict[str, Any]:
    """Draws the first version. A spending limit applies from the beginning, so that all use is counted."""
    limits = {"spending": random_limit(seed), "shares": TEAMS} if has_limits(seed) else {}
    policy, idle_rule = random_policy(random, 0), random_idle_rule(random, 0)
    if has_elastic_jobs(seed):
        policy |= random_costs_of_growth(seed)
    if has_interactive_jobs(seed):
        policy |= random_interactive_cap(policy)
    sections = {"policy": policy, "idle_gpus": idle_rule, "hangs": random_hang_rule(idle_rule), **limits}
    if has_approvals(seed):
        names = APPROVED_NAMES[has_array_approvals(seed)]
        sections["rules"] = {"rules": [random_approval_rule(seed, names)], "exemptions": []}
    if has_losses(seed):
        sections["nan"] = random_nan_rule(idle_rule)
    return sections | _notices(seed)


def _notices(seed: int) -> dict[str, Any]:
    mail = [MAIL] if seed % 2 else []
    if has_digests(seed):  # the first period ends when the world begins
        return {"notices": {"mail": [*mail, {"to": MAIL["to"], "kinds": ["digest"]}], "digest_hour": 0}}
    return {"notices": {"mail": mail}} if mail else {}


def _unknowns(random: Random, seed: int) -> Unknowns:
    """Draws the behaviour that AWS does not document."""
    return Unknowns(
        refuses_second_stop=random.random() < 0.5,
        validates_before_throttling=random.random() < 0.5,
        described_after_seconds=random.choice([0.0, 0.0, 5.0, 90.0]),
        listed_after_seconds=random.choice([0.0, 30.0]),
        lists_oldest_first=random.random() < 0.5,
        frees_quota_after_seconds=random.choice([0.0, 60.0]),
        lower_case_arns=random.random() < 0.5,
        silent_statuses=random.choice([frozenset(), frozenset(), frozenset(Secondary)]),
        sends_undocumented_events=random.random() < 0.5,
        events_as_documented=random.random() < 0.5,
        **draw_lists(seed),
    )
