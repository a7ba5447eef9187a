"""What differs between accounts, and what nobody outside AWS knows."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from local_sagemaker.state_machine.job import Secondary
from local_sagemaker.state_machine.limits import Quotas

#: From a request to the seconds until its instances are there; None: not before `World.provision` says so.
Startup = Callable[[dict[str, Any]], float | None]


@dataclass(frozen=True, slots=True)
class Unknowns:
    """What AWS does not document, or documents twice. Who is tested here must be right whichever way each turns out."""

    refuses_second_stop: bool = False  # a stop while Stopping
    validates_before_throttling: bool = False  # a wrong request costs nothing of the request rate
    described_after_seconds: float = 0.0  # until Describe, Stop and the like know a new job
    listed_after_seconds: float = 0.0  # until List and Search know it, or a change of its status
    lists_oldest_first: bool = False  # when no order is asked for
    frees_quota_after_seconds: float = 0.0  # from the end of a job to the return of its quota
    lower_case_arns: bool = False
    longest_keep_alive_seconds: int = 21_600  # the model's; the guide has 3,600
    long_pending_fails: bool = False  # MaxPendingTimeInSeconds ends in Failed with a CapacityError, not in Stopped
    silent_statuses: frozenset[Secondary] = frozenset()  # these send no event
    tells_of_quiet_changes: bool = False  # changed tags, settings and warm pools send one
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
