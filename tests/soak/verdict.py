"""Judges a soak: no job is lost, the budget was never exceeded, no training job is left behind."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from soak.actors import FINISHED
from support.deployed.account_state import Run

Jobs = Mapping[str, dict[str, Any]]  # from the REST API, by name
_END_OF = {"completed": "Completed", "failed": "Failed"}
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Claim:
    text: str
    problems: Sequence[str]

    def __str__(self) -> str:
        more = f" (and {len(self.problems) - _SHOWN} more)" if len(self.problems) > _SHOWN else ""
        lines = [f"✗ {self.text}:", *(f"    {problem}" for problem in self.problems[:_SHOWN])]
        return "\n".join(lines) + more if self.problems else f"✓ {self.text}"


def judge(
    accepted: Collection[str], jobs: Jobs, runs: Sequence[Run], budget: Mapping[str, int], left_reserved: Sequence[str]
) -> list[Claim]:
    return [
        Claim(f"each of {len(accepted):,} accepted jobs is in the queue and has ended", [*_lost(accepted, jobs)]),
        Claim("each end is what SageMaker says of the job's training jobs", [*_untrue(jobs, runs)]),
        Claim(f"SageMaker never held more than the budget, at {2 * len(runs):,} moments", [*_over(runs, budget)]),
        Claim("no job ever had two live training jobs", [*_doubled(runs)]),
        Claim("no training job is live or unknown to the queue's records", [*_orphans(jobs, runs)]),
        Claim("no reservation is left", list(left_reserved)),
    ]


def most_held(runs: Sequence[Run], kind: str) -> int:
    return max((held for _, held in _held_over_time(runs, kind)), default=0)


def _lost(accepted: Collection[str], jobs: Jobs) -> Iterator[str]:
    for name in sorted(accepted):
        state = jobs[name]["state"] if name in jobs else "not there"
        if state not in FINISHED:
            yield f"{name} is {state}"


def _untrue(jobs: Jobs, runs: Sequence[Run]) -> Iterator[str]:
    by_job = _by_job(runs)
    for name, job in sorted(jobs.items()):
        statuses = [run.status for run in by_job[name]]
        end = _END_OF.get(job["state"])
        if end and statuses[-1:] != [end] and job["reason"]["code"] != "create_refused":
            yield f"{name} is {job['state']}, its training jobs are {statuses}"
        if "Completed" in statuses[:-1] or (statuses[-1:] == ["Completed"] and job["state"] != "completed"):
            yield f"{name} is {job['state']} and was completed: {statuses}"


def _over(runs: Sequence[Run], budget: Mapping[str, int]) -> Iterator[str]:
    for kind in sorted({run.kind for run in runs}):
        limit = budget.get(kind, 0)
        yield from (
            f"{held} of {limit} × {kind} at {when}" for when, held in _held_over_time(runs, kind) if held > limit
        )


def _held_over_time(runs: Sequence[Run], kind: str) -> Iterator[tuple[Any, int]]:
    """Yields the held instances after each change. At the same moment, instances are given back first."""
    taken = [(run.created_at, run.instances) for run in runs if run.kind == kind]
    given_back = [(run.ended_at, -run.instances) for run in runs if run.kind == kind and run.ended_at]
    held = 0
    for when, change in sorted(taken + given_back):
        held += change
        yield when, held


def _doubled(runs: Sequence[Run]) -> Iterator[str]:
    for job, of_job in sorted(_by_job(runs).items()):
        for before, after in pairwise(of_job):
            if before.ended_at is None or before.ended_at > after.created_at:
                yield f"{job}: {before.name} had not ended when {after.name} began"


def _orphans(jobs: Jobs, runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        known = {attempt["name"] for attempt in jobs.get(run.job, {}).get("attempts", ())}
        if run.ended_at is None:
            yield f"{run.name} is {run.status}"
        if run.name not in known:
            yield f"{run.name} is in no record"


def _by_job(runs: Sequence[Run]) -> Mapping[str, list[Run]]:
    """Returns the training jobs of each job, oldest first."""
    by_job = defaultdict(list)
    for run in sorted(runs, key=lambda run: run.created_at):
        by_job[run.job].append(run)
    return by_job
