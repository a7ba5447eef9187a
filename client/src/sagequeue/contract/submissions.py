"""What is submitted."""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

#: A CreateTrainingJob request: SageMaker's own shape, which the client does not look into more than it must.
TrainingRequest = dict[str, Any]


class Alternative(TypedDict):
    """Another way to run a job: the members of its request that differ."""

    request: Mapping[str, Any]
    wait_for_better: NotRequired[int]  # seconds that the choices before it are waited for


class JobOptions(TypedDict, total=False):
    """What may be given beside a request; the tags `queue:priority` and so on say the same."""

    priority: int
    hold: bool
    never_preempt: bool
    idle_exempt: bool
    checkpoint_interval: int  # seconds
    alternatives: Sequence[Alternative]  # to the request, the better ones first; no tag says this
