"""Checks the safety invariants after every step, on SageMaker's own records and the table (aws-facts 6b, S1 to S14)."""

from collections import Counter
from itertools import pairwise

from local_sagemaker.state_machine.job import TrainingJob
from scheduler.adapters.dynamodb.records.array_records import ARRAY_PREFIX, array_in
from scheduler.adapters.dynamodb.records.items import CONFIG, controls_from
from scheduler.adapters.dynamodb.records.job_records import attempt_from, job_from, pool_from
from scheduler.core.jobs import job as job_module
from scheduler.core.jobs.attempt import AFTER_AN_END, Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import StopCause
from scheduler.core.warm_pools.warm_pool import WarmPool
from support.account.account import Account
from support.dynamodb.expressions import Item
from support.dynamodb.table import Key
from support.faults.call_faults import Call
from support.simulation.judges.approvals import ApprovalJudge
from support.simulation.judges.arrays import ArrayJudge
from support.simulation.judges.budgets import BudgetJudge
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import ConfigurationJudge
from support.simulation.judges.dependencies import DependencyJudge
from support.simulation.judges.growths import GrowthJudge
from support.simulation.judges.hangs import HangJudge
from support.simulation.judges.held_instances import instances_held_by
from support.simulation.judges.idle_gpus import IdleGpuJudge
from support.simulation.judges.interactive_jobs import InteractiveJobJudge
from support.simulation.judges.job_ends import JobEndJudge
from support.simulation.judges.job_times import JobTimesJudge
from support.simulation.judges.lease import LeaseJudge
from support.simulation.judges.nan_losses import NanLossJudge
from support.simulation.judges.preemptions import PreemptionJudge
from support.simulation.judges.processing_jobs import ProcessingJudge
from support.simulation.judges.rules import RuleJudge
from support.simulation.judges.sent_requests import is_as_submitted
from support.simulation.judges.service_calls import ServiceCallJudge
from support.simulation.judges.shares import ShareJudge
from support.simulation.judges.shortages import ShortageJudge
from support.simulation.judges.spending import SpendingJudge
from support.simulation.judges.stop_notices import StopNoticeJudge
from support.simulation.judges.tuning_jobs import TuningJudge
from support.simulation.judges.unmanaged_jobs import UnmanagedJobJudge
from support.simulation.judges.warm_pools import WarmPoolJudge
from support.simulation.submissions.squatters import owner_of
from support.simulation.submissions.user_requests import UserRequests


class Invariants:
    def __init__(self, account: Account, user_requests: UserRequests, budget: dict[str, int]) -> None:
        self._account = account
        self._user_requests = user_requests
        self._jobs: dict[str, Job] = {}
        self._live: dict[str, Attempt] = {}
        self._pools: dict[str, WarmPool] = {}
        self._known_ended: set[str] = set()  # training jobs that left warm pools
        self._known: set[str] = set()  # training jobs
        self._running: list[TrainingJob] = []  # the queue's live training jobs, at the last change …
        self._held: Counter[str] = Counter()  # … and the instances that they held
        self._checks = Checks()
        self._check = self._checks.check
        self.configurations = ConfigurationJudge(account, self._checks, user_requests)
        self.budgets = BudgetJudge(account, self._checks, self.configurations, budget)
        self.unmanaged_jobs = UnmanagedJobJudge(account, self._checks, self.budgets)
        self.preemptions = PreemptionJudge(account, self._checks, self.configurations, user_requests)
        self.rules = RuleJudge(account, self._checks, self.configurations)
        self.shares = ShareJudge(account, self._checks, self.configurations, self.budgets)
        self._approvals = ApprovalJudge(self._checks, self.configurations)
        self.interactive = InteractiveJobJudge(self._checks, self.configurations)
        self.pools = WarmPoolJudge(account, self._checks, self.configurations)
        self.spending = SpendingJudge(account, self._checks, self.configurations)
        self._service_calls = ServiceCallJudge(account, self._checks, self.rules)
        self.idle_gpus = IdleGpuJudge(account, self._checks, self.configurations)
        self.hangs = HangJudge(account, self._checks, self.configurations)
        self.nan_losses = NanLossJudge(account, self._checks, self.configurations)
        self._ends = JobEndJudge(self._checks, user_requests)
        self.processing = ProcessingJudge(account, self._checks, user_requests, self._ends, self._jobs, self._live)
        self.tuning = TuningJudge(account, self._checks, user_requests, self._ends, self._jobs, self._live)
        self.times = JobTimesJudge(account, self._checks)
        self.dependencies = DependencyJudge(account, self._checks, user_requests)
        self.arrays = ArrayJudge(account, self._checks, user_requests)
        self._growths = GrowthJudge(account, self._checks, self.configurations)
        self._shortages = ShortageJudge(account, self._checks, user_requests)
        self.stop_notices = StopNoticeJudge(account, self._checks, self.configurations)
        account.on_step, account.on_end = self.after_step, self._service_calls.check_end_of
        account.service_calls.on_call, account.service_calls.on_effect = (
            self._check_call,
            LeaseJudge(account, self._checks).check_effect,
        )

    @property
    def checked(self) -> Counter[str]:
        """Counts the checks of each invariant, by its number."""
        return self._checks.counts

    @property
    def jobs(self) -> dict[str, Job]:
        return self._jobs

    @property
    def live(self) -> list[tuple[Job, Attempt]]:
        return [(self._jobs[attempt.job_name], attempt) for attempt in self._live.values()]

    @property
    def budget(self) -> Counter[str]:
        return self.budgets.now

    @property
    def reserved(self) -> Counter[str]:
        return _demand_of(*self._live.values(), *self._pools.values())

    @property
    def pooled(self) -> Counter[str]:
        """Returns the part of the reserved instances that warm pools hold."""
        return _demand_of(*self._pools.values())

    def after_step(self) -> None:
        self._checks.repeat()
        self.budgets.after_step()
        changed_items = self._account.table.take_changed()
        changed_jobs = self._account.simulation.machine.take_changed()
        is_processing_changed = self.processing.read()
        for name in sorted(changed_jobs):
            self._training_job_changed(name)
        for key in changed_items:
            self._item_changed(key, self._account.table.items.get(key))
        if changed_items:
            self.arrays.check(self._jobs)
        is_tuning_changed = self.tuning.read()
        has_work_changed = bool(changed_jobs) or is_processing_changed or is_tuning_changed
        if has_work_changed:
            self._read_training_jobs()
        if changed_items or has_work_changed:
            self._check_budget()
            self._check_copies()
        self._service_calls.after_step()

    def _check_call(self, call: Call) -> None:
        self._service_calls.check_call(call)
        self.stop_notices.check_call(call)

    # ----------------------------------------------------------- the table

    def _item_changed(self, key: Key, item: Item | None) -> None:
        if key[0] == CONFIG:
            self.configurations.changed(item, int(key[1]))
            self.budgets.configuration_changed()
        elif self._account.table.is_corrupted(key):
            if known := self._jobs.get(key[0].removeprefix("JOB#")):
                self.rules.job_changed(known, is_readable=False)
            return  # the last readable version still applies
        elif key[1] == "JOB" and key[0].startswith("JOB#"):
            name = key[0].removeprefix("JOB#")
            self._check("S3", item is not None, f"the record of {name} is gone")
            assert item is not None
            job = job_from(item)
            # An attempt returns to the record when its warm pool ends, and stays until the job's next attempt ends.
            kept = [ended for ended in job.status.history if not ended.retained_reported_in]
            self._check("sizes", len(kept) <= job_module.MOST_ATTEMPTS, f"{name} keeps too many attempts")
            if job != self._jobs.get(name):
                self._job_changed(self._jobs.get(name), job)
            self.rules.job_changed(job)
            self.stop_notices.job_changed(job)
            self._jobs[name] = job
        elif key[0].startswith(ARRAY_PREFIX):
            self._check("arrays", item is not None, f"the record of {key[0]} is gone")
            assert item is not None
            array = array_in(item)
            self.arrays.array_changed(array)
            self._approvals.array_changed(array)
            self.dependencies.array_changed(array)
        elif key[0].startswith("SPENT#"):
            self.spending.changed(key[1], item)
        elif key[0] == "CONTROLS":
            self.rules.intake_changed(is_open=item is None or controls_from(item).intake_open)
        elif key[0] == "POOLS":
            self._pool_changed(key[1], pool_from(item) if item else None)
        elif key[0] == "LIVE":
            attempt = attempt_from(item) if item else None
            self._attempt_changed(key[1], self._live.get(key[1]), attempt)

    def _pool_changed(self, name: str, new: WarmPool | None) -> None:
        """Checks S1: a pool belongs to an attempt that ended, and exists while SageMaker keeps its instances."""
        job = self._account.simulation.machine.jobs.get(name)
        if new is not None:
            has_ended = name in self._known_ended or (job is not None and job.is_terminal)
            self._check("S1", has_ended, f"{name} has a pool and has not ended")
            self._known_ended.add(name)  # later a user may delete it, or its record may be repaired
            self._pools[name] = new
        else:
            self._check("S1", job is None or not job.holds_instances, f"{name} is forgotten and holds instances")
            self._pools.pop(name, None)

    def _attempt_changed(self, name: str, old: Attempt | None, new: Attempt | None) -> None:
        if new is None:
            self._live.pop(name, None)
            self._shortages.check_end_of(name)
            return
        self._live[name] = new
        self.stop_notices.attempt_changed(old, new)
        if old is None:
            job = new.job_name
            cancelled = self._user_requests.cancelled - self._user_requests.revived
            self._check("S7", job not in cancelled, f"{name} is started after {job} was cancelled")
            self._check("S7", job not in self._user_requests.held, f"{name} is started while {job} is held")
            self.rules.check_start(self._jobs[job], new)
            self.times.check_start(self._jobs[job])
            self.dependencies.check_start(self._jobs[job])
            self.arrays.note_start(self._jobs[job])
            self.spending.check_start(self._jobs[job], new)
            self.budgets.check_start(self._jobs[job])
            self._shortages.check_start(self._jobs[job], new)
            self.unmanaged_jobs.check_start(new, self.reserved)
            self.shares.check_start(self._jobs[job], new, self.live, self.reserved)
            self._approvals.check_start(self._jobs[job], new)
            self.interactive.check_start(self._jobs[job], new, self.live)
        else:
            self._check_update(self._jobs.get(new.job_name), old, new)

    def _check_update(self, job: Job | None, old: Attempt, new: Attempt) -> None:
        if new.created and not old.created:
            job_there = self._account.simulation.machine.jobs.get(new.name)
            is_ours = job_there is None or bool(owner_of(job_there))
            self._check("S2", is_ours, f"{new.name} is taken for an attempt")
        # Checked only when sent: a planned stop may be based on a missed interruption, but a poll precedes each stop.
        stop = job.status.stop if job and new.stop_sent and not old.stop_sent else None
        if job and stop and stop.cause is StopCause.IDLE:
            self.idle_gpus.check_stop(job, stop)
        if job and stop and stop.cause is StopCause.UNDERUSED:
            self.idle_gpus.check_underuse(job, stop)
        if job and stop and stop.cause is StopCause.NAN_LOSS:
            self.nan_losses.check_stop(job, stop)
        if job and stop and stop.cause in {StopCause.HANG, StopCause.HANG_RETRY}:
            self.hangs.check_stop(job, stop)
        if old.observation is not None:
            seen, known = new.observation, old.observation
            is_forward = seen is not None and (
                seen == known or (seen.is_terminal and not known.is_terminal) or seen.modified_at > known.modified_at
            )
            is_back = seen is not None and known.is_terminal and not seen.is_terminal
            # A deleted job may have had the attempt's name before. The attempt's observations follow that job's end.
            is_back = is_back and not (seen and seen.modified_at - known.modified_at > AFTER_AN_END)
            self._check("S12", is_forward and not is_back, f"the observation of {new.name} went back: {known} → {seen}")

    def _job_changed(self, old: Job | None, new: Job) -> None:
        self.dependencies.job_changed(old, new)
        self.tuning.job_changed(old, new)
        self._approvals.job_changed(old, new)
        if old is None:
            if not new.place:  # a child was checked with its array, and is checked again at its start
                self.rules.check_submission(new)
            self.times.check_submission(new, self._user_requests.tags.get(new.name, {}))
        else:
            if new.options.priority != old.options.priority:
                self._user_requests.priorities_changed_at[new.name] = self._account.now
            self._check("S6", new.submitted_at == old.submitted_at, f"{new.name} lost its age")
            # A stop to leave spot is decided before the attempt's end, according to the setting at that time.
            is_decided = old.status.stop is not None and old.status.stop.cause is StopCause.SPOT
            is_allowed = new.status.on_demand == old.status.on_demand or is_decided or self._may_leave_spot()
            if new.status.stop != old.status.stop and new.status.stop and new.status.stop.cause is StopCause.SPOT:
                self._check(
                    "spot", self._may_leave_spot(), f"{new.name} is stopped to leave spot, against all settings"
                )
            self._check("spot", is_allowed, f"{new.name} leaves spot, which no setting allows")
            is_revived = new.name in self._user_requests.revived
            if old.is_finished and not is_revived:
                self._check(
                    "S3",
                    new.status.state is old.status.state,
                    f"{new.name} is {new.status.state} after {old.status.state}",
                )
        attempt = next((attempt for attempt in self._live.values() if attempt.job_name == new.name), None)
        if (
            new.status.stop is not None
            and new.status.stop.cause is StopCause.PREEMPTION
            and (old is None or old.status.stop != new.status.stop)
        ):
            self._check_preemption(new, attempt, new.status.stop.asked_by)
        self._growths.job_changed(old, new, attempt, self._jobs)
        if new.is_finished and (old is None or not old.is_finished):
            self._ends.check_job(new)
            self.times.check_end(new)

    def _may_leave_spot(self) -> bool:
        seen = self.configurations.seen("retries")
        return any(retries.get("leaving_spot", {}).get("allowed", True) for retries in seen)

    def _check_preemption(self, victim: Job, attempt: Attempt | None, beneficiary_name: str) -> None:
        if beneficiary_name:
            self.preemptions.check(victim, attempt, self._jobs[beneficiary_name])
        else:
            held = self.reserved + self.unmanaged_jobs.held_at_the_last_reconciliation()
            self.budgets.check_eviction(victim, held)

    # -------------------------------------------------------- SageMaker's truth

    def _training_job_changed(self, name: str) -> None:
        job = self._account.simulation.machine.jobs.get(name)
        if job is None or not owner_of(job):
            return
        self.spending.record_training_job(job)
        if job.is_terminal:
            self._ends.record_end(job)
            self.dependencies.note_end(job)
        if name not in self._known:
            self._known.add(name)
            self._check_created(job)

    def _check_created(self, attempt: TrainingJob) -> None:
        """Checks S2, S6 and S7: attempts run one after the other, as submitted, none after a completed attempt."""
        name = owner_of(attempt)
        body = self._user_requests.accepted.get(name) or self._user_requests.children.get(name)
        if body is None:  # the answer to the submission was lost or is still on its way
            return
        environment = self.dependencies.with_models(body.get("Environment", {}))
        on_demand = name in self._jobs and self._jobs[name].status.on_demand
        limits = self._user_requests.time_limits[name]
        is_sent = is_as_submitted(attempt.request, body, environment, on_demand=on_demand, limits=limits)
        self._check("S6", is_sent, f"{attempt.name} is not what was submitted")
        if attempt.name in self._live:  # else a user has cancelled it meanwhile
            reserved_at = self._live[attempt.name].reserved_at.timestamp()
            self.pools.check_start(attempt, reserved_at, body, has_left_spot=on_demand)
        for earlier in self._known - {attempt.name}:
            if earlier.rsplit("-sq-", 1)[0] != name:
                continue
            was = self._ends.status_of(earlier)
            is_good = was is not None and (was != "Completed" or name in self._user_requests.revived)
            self._check("S2", is_good, f"{attempt.name} after {earlier}, which is {was}")

    def _read_training_jobs(self) -> None:
        ours = [job for job in self._account.simulation.machine.jobs.values() if owner_of(job)]
        self._running = [job for job in ours if not job.is_terminal]
        self._held = self.processing.held + self.tuning.held
        for job in ours:
            if job.holds_instances:
                self._held.update(instances_held_by(job))

    def _check_copies(self) -> None:
        names = [owner_of(job) for job in self._running]
        self._check("S2", len({*names}) == len(names), "two live attempts: {}", names)
        prefixes = [job.request.get("CheckpointConfig", {}).get("S3Uri", job.name) for job in self._running]
        directories = sorted(f"{prefix}/" for prefix in prefixes)  # those inside another follow it directly
        is_inside = any(second.startswith(first) for first, second in pairwise(directories))
        self._check("S2", not is_inside, "two on one prefix: {}", prefixes)
        for job in self._running:
            self._check("S1", job.name in self._live, "{} is {} without a reservation", job.name, job.status)
            held, reserved = instances_held_by(job), _demand_of(self._live[job.name])
            self._check("S1", held <= reserved, "{} may hold {} on {}", job.name, held, reserved)
        self.tuning.check_reservations()

    def _check_budget(self) -> None:
        self.processing.check_reservations()
        reserved = self.reserved
        self.budgets.check(reserved, self._held)
        ledger = self._account.table.items.get(("LEDGER", "LEDGER"), {})
        counts = {
            kind.removeprefix("held."): int(count["N"]) for kind, count in ledger.items() if kind.startswith("held.")
        }
        self._check("S1", +Counter(counts) == reserved, "the ledger has {}, reserved are {}", counts, reserved)


def _demand_of(*attempts: Attempt | WarmPool) -> Counter[str]:
    counts: Counter[str] = Counter()
    for attempt in attempts:
        for kind, count in attempt.demand.counts:
            counts[kind] += count
    return counts
