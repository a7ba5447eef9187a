"""Runs the real scheduler without Lambda, on an in-memory store, a simulated SageMaker and a virtual clock."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from local_sagemaker.simulation import Simulation, Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from local_sagemaker.state_machine.job import TERMINAL
from local_sagemaker.state_machine.processing.job import ProcessingJob
from scheduler.adapters.aws.sagemaker.automl import SageMakerAutoML
from scheduler.adapters.aws.sagemaker.events import observation_of
from scheduler.adapters.aws.sagemaker.processing import SageMakerProcessing
from scheduler.adapters.aws.sagemaker.rate_limited import (
    RateLimitedJobs,
    RateLimitedListedWork,
    RateLimitedTraining,
    RateLimitedWork,
    RateLimiter,
)
from scheduler.adapters.aws.sagemaker.request_model import refuse_invalid, refuse_invalid_text
from scheduler.adapters.aws.sagemaker.training import SageMakerTraining
from scheduler.adapters.aws.sagemaker.tuning import SageMakerTuning
from scheduler.admission.admission import Admission
from scheduler.admission.choice_check import ChoiceCheck
from scheduler.core.history.callbacks.callback import AllowedCallbacks
from scheduler.core.history.change import change_of
from scheduler.core.history.notices import notice_in
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import NOTHING, Demand, total
from scheduler.core.jobs.job import Job
from scheduler.core.reconciliation.reconciliation_state import BudgetScope
from scheduler.core.reconciliation.unmanaged_job import GuardMode, UnmanagedJob
from scheduler.core.requests.arrays.job_array import JobArray
from scheduler.core.requests.attempt_request import JOB_TAG
from scheduler.core.requests.instances import instances_of
from scheduler.cycle.live_jobs import LiveJobCache
from scheduler.cycle.scheduler import Scheduler
from scheduler.cycle.services import CycleServices
from scheduler.errors.internal import LeaseHeld
from scheduler.observe.configuration import ConfigurationReader
from scheduler.observe.snapshot_reader import SnapshotReader
from scheduler.observe.spending import SpendingReader
from scheduler.ports.job_store import JobStores, writer_of_observation
from scheduler.queue.array_submission import ArraySubmission
from scheduler.queue.arrays import Arrays
from scheduler.queue.children_to_come import ChildrenToCome
from scheduler.queue.job_actions import JobActions
from scheduler.queue.job_queries import JobQueries
from scheduler.queue.job_status import JobStatusReader
from scheduler.queue.submission import Submission, Submissions
from support.account.gpu_metrics import CloudWatch
from support.builders.callers import ACCOUNT, an_access
from support.builders.configurations import a_reader, a_stack, configure
from support.builders.processing_requests import a_processing_request
from support.builders.tuning_requests import a_tuning_request
from support.faults.fault_points import Killed, PortWrapper
from support.memory.config_store import MemoryConfigStore
from support.memory.logs import MemoryLogs
from support.memory.notices import MemoryNotices
from support.memory.stop_objects import MemoryStopObjects
from support.memory.store import MemoryStore
from support.memory.unmanaged_jobs import MemoryUnmanagedJobStore

SWEEP_SECONDS = 60
ADA = f"arn:aws:iam::{ACCOUNT}:user/ada"
#: Jobs of higher priority preempt at once, and without notice.
PREEMPTS_AT_ONCE = {"patience": "0s", "protected_run_time": "0s", "notice": "0s"}
TIME_LEFT = timedelta(seconds=45)


@dataclass
class VirtualClock:
    simulation: Simulation

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.simulation.now, UTC)

    def sleep(self, seconds: float) -> None:
        self.simulation.run(seconds)


@dataclass
class SimulatedQueue:
    """Simulates one queue and one SageMaker. After each event, checks the invariants on SageMaker's own records."""

    budget: str = "ml.m5.large=2"
    configuration: Mapping[str, Any] = field(default_factory=dict)  # sections, besides the policy that preempts at once
    scope: BudgetScope = BudgetScope.QUEUE
    durations: Mapping[str, float] = field(default_factory=dict)
    crashing: Collection[str] = ()  # jobs whose script ends with an error
    guard: GuardMode = GuardMode.OFF  # for training jobs started outside the queue
    deliver_events: bool = True
    behaviour: Behaviour | None = None  # SageMaker's, where AWS does not document it
    fault_point: PortWrapper | None = None  # injects a fault …
    wrapped_port: str = ""  # … into calls of "training" or "store"
    squatted: set[str] = field(default_factory=set)  # names of training jobs that only look like the queue's

    def __post_init__(self) -> None:
        self.simulation = Simulation(self._course, behaviour=self.behaviour, on_event=self._deliver)
        self.store = MemoryStore()
        self.config_store = MemoryConfigStore()
        self.configure(**{"policy": PREEMPTS_AT_ONCE, **self.configuration})
        reader = a_reader(self.config_store, a_stack(self.budget))
        admission = Admission(reader, an_access(reader))
        self.notices = MemoryNotices()
        self.store.on_change = self._notify
        self.clock = VirtualClock(self.simulation)
        self.client = self.simulation.client()
        answers = self._snapshot_reader(self.store, reader)
        self.choice_check = ChoiceCheck(admission, reader, self.store.requests_of, self.clock)
        status = JobStatusReader(answers, self.choice_check, self.store, self.store, self.clock, "sq")
        self.queue = Submissions(
            answers,
            self.store,
            self.store,
            self.store,
            self.clock,
            status,
            refuse_invalid,
            admission,
            self.store,
            AllowedCallbacks(are_on=True, webhook_hosts=()),
        )
        self.control = JobActions(self.store, self.store, self.store, self.clock, admission)
        self.arrays = Arrays(self.store, self.queue, refuse_invalid_text)
        self.children_to_come = ChildrenToCome(self.store)
        self.queries = JobQueries(answers, self.store, self.store, self.clock, status, admission, self.children_to_come)
        limiter = RateLimiter(self.clock)
        training = RateLimitedTraining(self._with_fault_point("training", SageMakerTraining(self.client)), limiter)
        tuning = RateLimitedWork(self._with_fault_point("tuning", SageMakerTuning(self.client, limiter)), limiter)
        processing = RateLimitedListedWork(
            self._with_fault_point("processing", SageMakerProcessing(self.client)), limiter
        )
        store = self._with_fault_point("store", self.store)
        self.foreign = MemoryUnmanagedJobStore()
        self.logs = MemoryLogs()
        self.cloudwatch = CloudWatch(self.clock, lambda *_: None)
        self.stop_objects = MemoryStopObjects()
        services = CycleServices(
            self._snapshot_reader(store, reader),
            JobStores(store, store, store, store, store, store, store, store, store, store),
            store,
            training,
            tuning,
            processing,
            RateLimitedJobs(SageMakerAutoML(self.client), limiter),
            self.clock,
            "sq",
            admission,
            self.notices,
            self.logs,
            self.cloudwatch,
            LiveJobCache(store, self.clock),
            self.guard,
            self.foreign,
            self.foreign,
            self.stop_objects,
        )
        self.scheduler = Scheduler(services)
        self._held = NOTHING
        self._seen_wake_ups = 0
        self._next_sweep = self.simulation.now + SWEEP_SECONDS

    def configure(self, **sections: Any) -> None:
        """Applies these sections, as operators write them, and keeps the other current sections."""
        configure(self.config_store, **sections)

    def submit(self, name: str, priority: int = 0, owner: str = ADA, **more: Any) -> None:
        self.queue.submit(Submission(request(name, priority, **more)), caller=owner)

    def tune(self, name: str, priority: int = 0, *, options: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Submits a tuning job."""
        tags = [{"Key": "priority", "Value": str(priority)}]
        self.queue.submit(Submission(a_tuning_request(name, Tags=tags, **more), options or {}), caller=ADA)

    def process(self, name: str, priority: int = 0, *, options: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Submits a processing job."""
        tags = [{"Key": "priority", "Value": str(priority)}]
        self.queue.submit(Submission(a_processing_request(name, Tags=tags, **more), options or {}), caller=ADA)

    def submit_array(self, name: str, size: int, at_most: int = 0, owner: str = ADA, **more: Any) -> JobArray:
        """Submits an array whose children have the hyperparameter `seed`, from 0."""
        limits = {"most_failures": more.pop("most_failures", None), "options": more.pop("options", {})}
        members = {
            "HyperParameters": {"seed": "${seed}"},
            "CheckpointConfig": {"S3Uri": f"s3://bucket/checkpoints/{name}/${{index}}"},
            **more,
        }
        submission = ArraySubmission(request(name, **members), {"seed": [*range(size)]}, at_most=at_most, **limits)
        array, _ = self.arrays.submit(submission, owner)
        return array

    def cycle(self, *, sweep: bool = False) -> None:
        try:
            self.scheduler.run_cycle(TIME_LEFT, sweep=sweep)
        except LeaseHeld:
            return
        except Killed:
            return  # the lease stays taken until it expires

    def run(self, seconds: float) -> None:
        """Lets time pass, with a sweep every minute, and a cycle whenever the stream would wake the scheduler."""
        end = self.simulation.now + seconds
        while self.simulation.now < end:
            if self.store.wake_ups != self._seen_wake_ups:
                self._seen_wake_ups = self.store.wake_ups
                self.cycle()
                continue
            if self.simulation.now >= self._next_sweep:
                self._next_sweep = self.simulation.now + SWEEP_SECONDS
                self.cycle(sweep=True)
                continue
            self.simulation.run(min(5, end - self.simulation.now))

    def run_until_empty(self, limit: float = 24 * 3600) -> None:
        self.run_until(lambda: all(job.is_finished for job in self.store.jobs.values()), limit)

    def run_until(self, is_reached: Callable[[], bool], limit: float = 24 * 3600) -> None:
        end = self.simulation.now + limit
        while not is_reached():
            assert self.simulation.now < end, {job.name: job.status.state for job in self.store.jobs.values()}
            self.run(SWEEP_SECONDS)

    def job(self, name: str) -> Job:
        return self.store.get(name)

    def _check_invariants(self) -> None:
        found = self.simulation.machine.jobs.values()
        jobs = [job for job in found if JOB_TAG in job.tags and job.name not in self.squatted]
        live = [job.name for job in jobs if job.status not in TERMINAL and job.tuning_job_arn is None]
        tuning_jobs = self.simulation.machine.tuning.by_name.values()
        live += [job.name for job in tuning_jobs if JOB_TAG in job.tags and not job.is_terminal]
        processing = [job for job in self.simulation.machine.processing.by_key.values() if JOB_TAG in job.tags]
        running = [job for job in processing if not job.is_terminal]
        live += [job.name for job in running]
        attempts = Counter(name.rsplit("-sq-", 1)[0] for name in live)
        assert all(count == 1 for count in attempts.values()), f"two live attempts: {attempts}"
        held = total(instances_of(job.resolved_request["ResourceConfig"]) for job in jobs if job.holds_instances)
        held += total(_held_by_processing(job) for job in running)
        # After the budget shrinks, held instances may stay, but no more may be added.
        assert held.fits((self.store.read().budget or Budget.parse(self.budget)).limit) or held.fits(self._held), (
            f"over budget: {held}"
        )
        self._held = held

    def _snapshot_reader(self, store: Any, reader: ConfigurationReader) -> SnapshotReader:
        spending = SpendingReader(store, reader.stack.prices, self.clock)
        return SnapshotReader(store, store, store, store, store, store, reader, spending, self.clock, self.scope)

    def _with_fault_point(self, port: str, inner: Any) -> Any:
        return self.fault_point.wrap(inner) if self.fault_point is not None and self.wrapped_port == port else inner

    def _notify(self, job: Job, by: str) -> None:
        """Keeps the notice about a change that the function `history` would send if operators had chosen all kinds."""
        if notice := notice_in(change_of(job, by, self.clock.now(), ()), job):
            self.notices.notify(notice)

    def _deliver(self, event: dict[str, Any]) -> None:
        self._check_invariants()
        if self.deliver_events:
            name, observation = observation_of(event)
            kept = self.store.record_observation(name, observation, by=writer_of_observation(observation))
            is_running = "TrainingJobName" in event["detail"] and observation.status == "InProgress"
            if not kept and is_running and self.guard is not GuardMode.OFF:
                self.foreign.add_unchecked(UnmanagedJob(name, observation.modified_at), by="training_events")

    def _course(self, body: dict[str, Any]) -> Workload:
        job = (body.get("TrainingJobName") or body["ProcessingJobName"]).rsplit("-sq-", 1)[0]
        rate = body.get("HyperParameters", {}).get("rate")  # of a child of a tuning job
        epochs = () if rate is None else ({"loss": float(rate)},)
        return Workload(trains=self.durations.get(job, 600), exit_code=job in self.crashing, epochs=epochs)


def _held_by_processing(job: ProcessingJob) -> Demand:
    resources = job.cluster["ResourceConfig"]
    return Demand.of({f"{resources['InstanceType']}@processing": resources["InstanceCount"]})


def request(
    name: str,
    priority: int = 0,
    *,
    instances: int = 1,
    kind: str = "ml.m5.large",
    tags: Mapping[str, str] | None = None,
    **members: Any,
) -> dict[str, Any]:
    return {
        "TrainingJobName": name,
        "AlgorithmSpecification": {"TrainingImage": "image", "TrainingInputMode": "File"},
        "RoleArn": f"arn:aws:iam::{ACCOUNT}:role/SageMakerRole",
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/out"},
        "ResourceConfig": {"InstanceType": kind, "InstanceCount": instances, "VolumeSizeInGB": 1},
        "StoppingCondition": {"MaxRuntimeInSeconds": 86_400},
        "CheckpointConfig": {"S3Uri": f"s3://bucket/checkpoints/{name}"},
        "Tags": [{"Key": key, "Value": value} for key, value in {"priority": str(priority), **(tags or {})}.items()],
        **members,
    }
