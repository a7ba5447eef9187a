"""Judges how well a training script survived its preemptions. Pure: the attempts are its only input."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import isclose

from preempt_test.attempts import Attempt
from sagequeue.tables.formats import FittedTable, table_of


@dataclass(frozen=True, slots=True)
class Finding:
    name: str
    holds: bool
    text: str


@dataclass(frozen=True, slots=True)
class Survival:
    """One preemption, and where the next attempt resumed: at the first step if `steps_lost` is None."""

    asked_after: float
    saved_within: float | None
    unsaved_seconds: float
    saved_step: int | None
    resumed_after: int | None

    @property
    def is_right(self) -> bool:
        return self.saved_step is not None and self.resumed_after == self.saved_step

    @property
    def steps_lost(self) -> int | None:
        """The number of saved steps that were repeated; None if all steps were repeated."""
        if self.saved_step is None or self.resumed_after is None:
            return None
        return self.saved_step - self.resumed_after


@dataclass(frozen=True, slots=True)
class Verdict:
    survivals: list[Survival]
    findings: list[Finding]

    @property
    def is_survivor(self) -> bool:
        return all(finding.holds for finding in self.findings)


def judge(undisturbed: Attempt, attempts: Sequence[Attempt], times: int, tolerance: float) -> Verdict:
    """Compares one job's attempts with an uninterrupted training. All attempts but the last were preempted."""
    survivals = _survivals(attempts)
    last = attempts[-1]
    findings = [
        Finding("preempted", len(survivals) == times, _of(len(survivals), times)),
        _count("saved in time", [survival.saved_within is not None for survival in survivals]),
        _count("resumed at the saved step", [survival.is_right for survival in survivals]),
        Finding("completed", last.status == "Completed", last.failure or last.status),
    ]
    if undisturbed.metric is not None:
        findings.append(_same_metric(undisturbed.metric, last.metric, tolerance))
    return Verdict(survivals, findings)


def table(survivals: Sequence[Survival]) -> FittedTable:
    rows = table_of("#", "asked after", "saved", "resumed", "lost")
    for number, survival in enumerate(survivals, 1):
        rows.add_row(
            str(number), f"{survival.asked_after:.1f} s", _saved(survival), _resumed(survival), _lost(survival)
        )
    return rows


def as_json(verdict: Verdict, undisturbed: Attempt, seed: int) -> dict[str, object]:
    return {
        "survives": verdict.is_survivor,
        "seed": seed,
        "undisturbed": {"training_seconds": undisturbed.training_seconds, "metric": undisturbed.metric},
        "preemptions": [{**asdict(survival), "steps_lost": survival.steps_lost} for survival in verdict.survivals],
        "findings": [asdict(finding) for finding in verdict.findings],
    }


def _survivals(attempts: Sequence[Attempt]) -> list[Survival]:
    """Pairs each preemption with the attempt after it. If an attempt saves nothing, the previous save counts."""
    found, saved_step = list[Survival](), None
    for attempt, following in pairwise(attempts):
        if attempt.saved_step is not None:
            saved_step = attempt.saved_step
        if stop := attempt.preemption:
            resumed = following.resumed_after
            found.append(Survival(stop.asked_after, stop.answered_within, stop.unsaved_seconds, saved_step, resumed))
    return found


def _count(name: str, held: Sequence[bool]) -> Finding:
    return Finding(name, bool(held) and all(held), _of(sum(held), len(held)))


def _of(count: int, total: int) -> str:
    return f"{count} of {total} times"


def _same_metric(undisturbed: float, metric: float | None, tolerance: float) -> Finding:
    is_same = metric is not None and isclose(metric, undisturbed, rel_tol=tolerance)
    found = "none" if metric is None else f"{metric:.6g}"
    return Finding("same final metric", is_same, f"{found}, undisturbed {undisturbed:.6g}")


def _saved(survival: Survival) -> str:
    if survival.saved_within is None:
        return "no"
    return f"step {survival.saved_step}, in {survival.saved_within:.1f} s"


def _resumed(survival: Survival) -> str:
    return "from the beginning" if survival.resumed_after is None else f"after step {survival.resumed_after}"


def _lost(survival: Survival) -> str:
    if survival.steps_lost is None:
        return "everything"
    if survival.steps_lost:
        return f"{survival.steps_lost} steps"
    return f"{survival.unsaved_seconds:.0f} s of training" if survival.saved_within is None else "nothing"
