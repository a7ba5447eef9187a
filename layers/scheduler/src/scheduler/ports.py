"""What the cycle and the handlers need from the outside world, in their own words."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from scheduler.domain.attempt import Attempt, Sighting
from scheduler.domain.budget import Budget
from scheduler.domain.census import Census
from scheduler.domain.controls import Controls
from scheduler.domain.demand import Demand
from scheduler.domain.document import Document
from scheduler.domain.foreign import Finding, ForeignJob
from scheduler.domain.idle import AlarmState, GpuAlarm, GpuReading
from scheduler.domain.job import Job, JobState
from scheduler.domain.job_filter import JobFilter
from scheduler.domain.lease import Lease
from scheduler.domain.listed import ListPage
from scheduler.domain.notice import Notice
from scheduler.domain.pace import Pace
from scheduler.domain.past import Past
from scheduler.domain.reason import ReasonCode
from scheduler.domain.snapshot import LiveJob

#: A CreateTrainingJob request body, exactly as the user sent it.
TrainingRequest = Mapping[str, object]
#: For a settled attempt that teaches nothing.
NOTHING_LEARNED = Past()
IDLE_ALARM = "idle_alarm"
#: The functions whose changes of the queue wake the scheduler: the stream's filter in template.yaml names them too.
WAKING = frozenset({"api", "training_events", IDLE_ALARM})


@dataclass(frozen=True, slots=True)
class Page:
    jobs: tuple[Job, ...]
    next_token: str | None = None


class Waiting(NamedTuple):  # there may be thousands
    state: JobState
    owner: str


class JobStore(Protocol):
    """The queue's records. Every write is conditional; nothing is ever written half.

    The very same write again, as after a lost answer, may be recognised and pass; it never counts twice.
    """

    def submit(self, job: Job, request: TrainingRequest) -> None:
        """Keep a new job, and its hand's token for it if it has one.

        Raises NameTaken if a job of that name exists, whatever its state, and TokenReused for a token that is known.
        """

    def name_for_token(self, hand: str, token: str) -> str | None:
        """The job that this hand (`Job.hand`) submitted with this token."""

    def get(self, name: str) -> Job:
        """Raises UnknownJob."""

    def request(self, name: str) -> dict[str, object]:
        """The request body as submitted. Raises UnreadableBody or BodyUnavailable."""

    def attempt(self, name: str) -> Attempt | None:
        """The live attempt of that name, if there is one."""

    def save(self, job: Job, *, by: str) -> Job:
        """Write the job if its version is still the stored one, and give it with its new version.

        `by` names the function that writes: changes by one of WAKING wake the scheduler.
        Raises StaleJob. Only for changes that take no budget and release none.
        """

    def candidates(self, budget: Budget) -> tuple[Job, ...]:
        """Of the waiting jobs those that can matter now, as `policy.backlog` picks them, highest priorities first.

        May lag: decide on `save` or `launch`.
        """

    def live(self) -> tuple[LiveJob, ...]:
        """Every attempt that holds budget, with its job. Consistent."""

    def page(self, wanted: JobFilter, limit: int, token: str | None, now: datetime) -> Page:
        """Jobs for display: what holds instances, what waits, both by priority and age, and what ended, newest first.

        Whoever is in the queue while all pages are read is shown, also if it starts in between. A page is
        short, and its token tells where to look on, where those wanted are rare among many. Raises BadRequest for a
        token that is not of such a list.
        """

    def waiting(self) -> Iterator[Waiting]:
        """All that wait in the queue, are held or parked. May lag."""

    def parked_for(self, reason: ReasonCode, limit: int) -> tuple[Job, ...]:
        """The first jobs that are parked for this reason. May lag."""

    def positions(self, jobs: Iterable[Job], within: int | None = None) -> dict[str, int]:
        """Each job's place in the queue (priority, then age) by its name, counted from 1. May lag.

        With `within`, those behind so many places are left out.
        """

    def is_first(self, job: Job) -> bool:
        """Whether no other job of its priority waits before it. May lag."""

    def waiting_of(self, owner: str) -> int:
        """How many of the owner's jobs wait. May lag."""

    def launch(self, job: Job, attempt: Attempt, budget: Budget, lease: Lease) -> Job:
        """In one transaction: write the job (now launching), reserve the attempt's demand within the budget.

        Raises StaleJob, OverBudget or LeaseLost; then nothing was written.
        """

    def update_attempt(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        """In one transaction: write the job, and `created` and `stop_sent` of its live attempt.

        What SageMaker said of the attempt meanwhile stays. Raises StaleJob or LeaseLost.
        """

    def settle(
        self, job: Job, attempt: Attempt, lease: Lease, past: Past = NOTHING_LEARNED, *, keeps_instances: bool = False
    ) -> Job:
        """In one transaction: write the job, delete the attempt, release its budget, keep what is remembered of it.

        An attempt that keeps its instances becomes one of the pools instead, and goes on holding its budget.
        Raises StaleJob or LeaseLost.
        """

    def pools(self) -> tuple[Attempt, ...]:
        """Attempts that ended and hold budget still. Consistent."""

    def forget_pool(self, pool: Attempt, lease: Lease) -> None:
        """In one transaction: delete the pool, release its budget. Raises StaleJob or LeaseLost."""

    def recall(self, owners: Collection[str], teams: Collection[str]) -> Past:
        """What is remembered of these. Consistent."""

    def adopt(self, job: Job, attempt: Attempt, lost: Attempt | None, lease: Lease) -> Job:
        """In one transaction: write the job and its attempt, which is live already, within the budget or not.

        `lost` is the attempt that it replaces: SageMaker has gone on without it. Raises StaleJob or LeaseLost.
        """

    def census(self) -> Census:
        """Consistent; an empty one at first."""

    def keep_census(self, census: Census, lease: Lease) -> None:
        """Raises LeaseLost."""

    def recount(self, held: Demand, lease: Lease) -> bool:
        """Correct the counts of what is held, if they say something else; tells whether they did. Raises LeaseLost."""

    def note_sighting(self, attempt_name: str, sighting: Sighting, *, by: str) -> bool:
        """Keep what SageMaker said of a live attempt, if it is newer than what is known; tells whether it was kept.

        A terminal sighting also sets `needs_look`. `by` is as in `save`.
        """


class ControlStore(Protocol):
    def read(self) -> Controls:
        """What operators have set. Consistent; the defaults if nobody has set anything."""

    def write(self, controls: Controls, *, by: str) -> Controls:
        """Keep them if their version is still the stored one, and give them with their new version.

        Raises StaleControls. `by` is as in `JobStore.save`.
        """


class DocumentStore(Protocol):
    """The versions of one kind of document."""

    def latest(self) -> Document | None:
        """The version in force; None if nobody has laid one down. Consistent."""

    def add(self, document: Document, *, by: str) -> None:
        """Keep one more version. Raises StaleDocument if its number is taken. `by` is as in `JobStore.save`."""


class ForeignStore(Protocol):
    """Training jobs that went round the queue."""

    def note(self, job: ForeignJob, *, by: str) -> None:
        """Somebody should look at it. `by` is as in `JobStore.save`."""

    def unchecked(self) -> tuple[ForeignJob, ...]:
        """Those that nobody has looked at. Consistent."""

    def record(self, finding: Finding) -> bool:
        """Keep what was found; tells whether it is the first finding about this training job."""

    def settle(self, job: ForeignJob) -> None:
        """It was looked at."""

    def findings(self, limit: int) -> tuple[Finding, ...]:
        """What was found, the newest first."""


class LeaseStore(Protocol):
    def take(self, now: datetime, seconds: int) -> Lease:
        """Raises LeaseHeld while another holder's lease has not expired; the call is then remembered as a knock.

        Its pace is the one that was given back last.
        """

    def give_back(self, lease: Lease) -> Lease | None:
        """None once it is given back; a lease if somebody knocked meanwhile: still held, and another cycle is due.

        After that cycle, give back the lease that this call returned: it knows of the knocks so far. Raises LeaseLost.
        """


class TrainingService(Protocol):
    """SageMaker, for attempts. Each call may raise Throttled."""

    def create(self, request: TrainingRequest) -> None:
        """Raises OutcomeUnknown, LimitExceeded, AttemptExists or Refused."""

    def describe(self, attempt_name: str) -> Sighting:
        """Raises AttemptUnknown."""

    def describe_any(self, name: str) -> dict[str, Any]:
        """All that SageMaker says of any training job, with its Tags as in a request. Raises AttemptUnknown."""

    def is_ours(self, request: TrainingRequest) -> bool:
        """Whether the training job that has this request's name carries every tag of the request."""

    def stop(self, attempt_name: str) -> None:
        """Raises AlreadyEnded or AttemptUnknown."""

    def release_pool(self, attempt_name: str) -> None:
        """End the warm pool that the attempt left. Raises Refused where it is gone already, or AttemptUnknown."""

    def tags(self, attempt_name: str) -> Mapping[str, str]:
        """Raises AttemptUnknown."""

    def list_created_after(self, moment: datetime, name_part: str, token: str | None) -> ListPage:
        """Training jobs of any state whose names contain the part, oldest first. May lag. Raises Refused."""

    def held_by(self, name: str) -> Demand:
        """The instances that any training job holds now, running or as a warm pool; nothing if it is not known."""


class TrainingLogs(Protocol):
    """What training jobs print."""

    def last_lines(self, attempt_name: str) -> Sequence[str]:
        """The last lines of its hosts, not all of them.

        Never raises: a log that cannot be read is empty, and logged, for nothing may hold the queue up.
        """


class PacedTrainingService(TrainingService, Protocol):
    """Keeps to SageMaker's rates; `pace` is what it has used of them."""

    pace: Pace


class Alarms(Protocol):
    """CloudWatch alarms. Each call may raise AlarmServiceError; the next sweep tries again."""

    def put(self, alarm: GpuAlarm) -> None: ...

    def delete(self, names: Sequence[str]) -> None:
        """What does not exist is passed over."""

    def list(self, prefix: str) -> tuple[AlarmState, ...]: ...


class GpuMetrics(Protocol):
    def read(self, hosts: Sequence[str], since: datetime, until: datetime, period: int) -> tuple[GpuReading, ...]:
        """What is known of each host and period of so many seconds. Raises AlarmServiceError."""


class Notifier(Protocol):
    def tell(self, notice: Notice) -> None:
        """Never raises: a notice that cannot be sent is logged, and holds nothing up."""


class Clock(Protocol):
    def now(self) -> datetime: ...

    def sleep(self, seconds: float) -> None: ...
