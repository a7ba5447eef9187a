"""Decides whether a job's dependencies are satisfied, based on the current states of the jobs that they name.

A completed job can never run again, so `after_ok` stays satisfied. A failed or stopped job may be requeued. If the
waiting job has not been released yet, it then waits for that job again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from scheduler.core.jobs.dependencies.option_values import NAMES
from scheduler.core.jobs.dependencies.predecessor import Predecessor
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.start_conditions import JobDependencies
from scheduler.errors.refusals import BadRequest, bad_field


class Outlook(Enum):
    SATISFIED = auto()
    WAITS = auto()
    NEVER = auto()  # unless the predecessor is requeued


@dataclass(frozen=True, slots=True)
class Verdict:
    """States what the dependencies allow. `predecessor` is the first job that stands in the way."""

    outlook: Outlook
    predecessor: str = ""
    message: str = ""


SATISFIED = Verdict(Outlook.SATISFIED)


def verdict_on(dependencies: JobDependencies, predecessors: Mapping[str, Predecessor]) -> Verdict:
    """Returns the verdict. `predecessors` has the existing predecessors by key, and may contain other jobs, too."""
    verdicts = [*_verdicts(dependencies, predecessors)]
    hopeless = (verdict for verdict in verdicts if verdict.outlook is Outlook.NEVER)
    return next(hopeless, verdicts[0] if verdicts else SATISFIED)


def waits_for_job(job: Job) -> Reason | None:
    """Returns why the job waits for another job, or None if it does not."""
    name = job.status.awaits
    if not name or not job.is_queued:
        return None
    return Reason(ReasonCode.WAITS_FOR_JOB, _message(job.options.dependencies, name), waits_for=name)


def never_satisfied(dependencies: JobDependencies, verdict: Verdict) -> BadRequest:
    """Returns the refusal of a submission whose dependencies can never be satisfied."""
    options = (option for option in NAMES if verdict.predecessor in getattr(dependencies, option))
    remedy = f"Submit or requeue {verdict.predecessor} first, or omit it."
    return bad_field(f"options.{next(options)}", f"cannot be satisfied: {verdict.message}", remedy)


def _verdicts(dependencies: JobDependencies, predecessors: Mapping[str, Predecessor]) -> Iterator[Verdict]:
    """Yields a verdict for each predecessor that stands in the way."""
    for name in dependencies.predecessors:
        found = predecessors.get(dependencies.key_of(name))
        if found is None:
            yield Verdict(Outlook.NEVER, name, f"there is no job or array named {name}")
        elif not found.is_finished:
            yield Verdict(Outlook.WAITS, name, _message(dependencies, name))
        elif not _is_satisfied_by(found, name, dependencies):
            yield Verdict(Outlook.NEVER, name, f"{_message(dependencies, name)}, but it {found.outcome}")
        elif name in dependencies.models and not found.model_artifacts:
            yield Verdict(Outlook.NEVER, name, f"its request uses the model of {name}, but {name} has saved none")


def _message(dependencies: JobDependencies, name: str) -> str:
    shown = f"the array {name}" if name in dependencies.arrays else name
    if name in dependencies.after_ok:
        return f"it starts only after {shown} has completed"
    if name in dependencies.after_any:
        return f"it starts after {shown} has ended"
    return f"it starts only after {shown} has failed or been stopped"


def _is_satisfied_by(ended: Predecessor, name: str, dependencies: JobDependencies) -> bool:
    return name in dependencies.after_any or ended.has_succeeded == (name in dependencies.after_ok)
