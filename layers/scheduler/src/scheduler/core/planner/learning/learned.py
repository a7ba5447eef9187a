"""What is remembered of runs that ended: for each owner, for everybody together, and how much each team has used."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from itertools import islice

from attrs import field, frozen

from scheduler.core.capacity.capacity import CapacityMemory
from scheduler.core.history.runtime_stats import Likeness, RuntimeStats, SimilarRuns, likenesses
from scheduler.core.jobs.job import Job
from scheduler.core.planner.learning.usage import Usage
from scheduler.core.spending.spent import Spent, SpentKey

#: Stands for an owner where the runs of all owners count.
EVERYBODY = "*"
#: What is kept for one owner fits into one write unit of the table; what was not seen for longest is forgotten first.
MOST_KINDS = 30

#: Kinds of runs by a short digest of what they have in common, the one seen last at the end.
Kinds = Mapping[str, SimilarRuns]


@frozen
class Learned:
    """All of it or a part."""

    runs: Mapping[str, Kinds] = field(factory=dict)  # by the owner's hand
    usage: Mapping[str, Usage] = field(factory=dict)  # by team; "" for those in no team
    capacity: CapacityMemory | None = None  # where it has changed
    spent: Mapping[SpentKey, Spent] = field(factory=dict)  # where it has changed

    def history_for(self, jobs: Iterable[Job]) -> RuntimeStats:
        found: dict[Likeness, SimilarRuns] = {}
        for job in jobs if self.runs else ():
            for likeness in likenesses(job):
                kinds = self.runs.get(_owner_of(likeness, job))
                if kinds and (known := kinds.get(_digest_of(likeness))):
                    found[likeness] = known
        return RuntimeStats(found)

    def with_run(self, job: Job, seconds: float) -> "Learned":
        """What is known after this job has run to its end."""
        runs = {owner: dict(kinds) for owner, kinds in self.runs.items()}
        for likeness in likenesses(job):
            kinds, kind = runs.setdefault(_owner_of(likeness, job), {}), _digest_of(likeness)
            kinds[kind] = SimilarRuns.learn(kinds.pop(kind, None), job, seconds)
        return Learned({owner: _last_seen(kinds) for owner, kinds in runs.items()}, self.usage)

    def with_usage(self, team: str, usage: Usage) -> "Learned":
        return Learned(self.runs, {**self.usage, team: usage})


def _owner_of(likeness: Likeness, job: Job) -> str:
    owner_key = job.owner_key
    return owner_key if owner_key in likeness[:1] else EVERYBODY


@lru_cache(maxsize=65_536)
def _digest_of(likeness: Likeness) -> str:
    return sha256(repr(likeness).encode()).hexdigest()[:8]


def _last_seen(kinds: Kinds) -> Kinds:
    return dict(islice(kinds.items(), max(0, len(kinds) - MOST_KINDS), None))
