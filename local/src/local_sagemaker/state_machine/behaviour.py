"""Defines the emulated account: its region, rates and quotas, and a choice for each behaviour that AWS leaves open."""

from dataclasses import dataclass, field
from math import inf

from local_sagemaker.state_machine.capacity import Startup
from local_sagemaker.state_machine.job import Secondary
from local_sagemaker.state_machine.limits import Quotas


@dataclass(frozen=True, slots=True)
class Unknowns:
    """Behaviours that AWS does not document, or documents in two ways. Code under test should work with each choice."""

    refuses_second_stop: bool = False  # refuses a stop while Stopping
    validates_before_throttling: bool = False  # an invalid request does not use up the request rate
    described_after_seconds: float = 0.0  # before Describe, Stop and similar calls find a new job
    listed_after_seconds: float = 0.0  # before List and Search show a new job, or a change in its status
    lists_oldest_first: bool = False  # if the request names no order
    cuts_pages_first: bool = True  # all filters of a list apply after a page is cut; if not, only the status filter
    page_token_seconds: float = inf  # then the NextToken of a list is refused
    tagged_after_seconds: float = 0.0  # before ListTags shows the tags of a new job
    frees_quota_after_seconds: float = 0.0  # from the end of a job to the release of its quota
    lower_case_arns: bool = False
    longest_keep_alive_seconds: int = 21_600  # as in the API's model; the guide has 3,600
    long_pending_fails: bool = False  # MaxPendingTimeInSeconds ends in Failed with a CapacityError, not in Stopped
    silent_statuses: frozenset[Secondary] = frozenset()  # these send no event
    sends_undocumented_events: bool = False  # also for changes of tags, settings or warm pools
    stopped_trials_count: bool = True  # the value of a stopped trial of a tuning job counts, if it has one
    limits_stop_tuning_jobs: bool = False  # a time limit ends a tuning job as Stopped, not as Completed
    events_as_documented: bool = False  # times as strings and no null keys, as in the guide; else as recorded


@dataclass(frozen=True, slots=True)
class Behaviour:
    region: str = "us-east-1"
    account: str = "000000000000"
    rate_factor: float = 1.0
    grace_seconds: float = 120.0
    startup: Startup = lambda _request: 60.0
    quotas: Quotas = field(default_factory=Quotas)
    unknowns: Unknowns = field(default_factory=Unknowns)
