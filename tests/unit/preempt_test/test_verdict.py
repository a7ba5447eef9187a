"""The verdict on a script, from what its attempts did."""

from dataclasses import replace

import pytest

from preempt_test.attempts import Attempt, Preemption, moments
from preempt_test.verdict import Verdict, as_json, judge, table

UNDISTURBED = Attempt("Completed", "", True, 100.0, 90.0, None, 99, 0.5, None)
IN_TIME = Preemption(asked_after=12.0, answered_within=1.5, unsaved_seconds=0)
TOO_LATE = Preemption(asked_after=12.0, answered_within=None, unsaved_seconds=30.0)


def preempted(saved: int | None, *, after: int | None = None, stop: Preemption = IN_TIME) -> Attempt:
    return Attempt("Stopped", "", True, 15.0, 10.0, after, saved, None, stop)


def completed(after: int | None, metric: float | None = 0.5) -> Attempt:
    return replace(UNDISTURBED, resumed_after=after, metric=metric)


def broken(verdict: Verdict) -> dict[str, str]:
    return {finding.name: finding.text for finding in verdict.findings if not finding.holds}


def cells(verdict: Verdict) -> list[list[str]]:
    return [[cell.plain for cell in row] for row in table(verdict.survivals).rows]


def test_a_script_that_resumes_at_each_saved_step_survives() -> None:
    verdict = judge(UNDISTURBED, [preempted(10), preempted(25, after=10), completed(25)], 2, 0)
    assert verdict.is_survivor
    assert cells(verdict) == [
        ["1", "12.0 s", "step 10, in 1.5 s", "after step 10", "nothing"],
        ["2", "12.0 s", "step 25, in 1.5 s", "after step 25", "nothing"],
    ]


def test_steps_that_are_done_again_are_counted() -> None:
    verdict = judge(UNDISTURBED, [preempted(25), completed(10)], 1, 0)
    assert broken(verdict) == {"resumed at the saved step": "0 of 1 times"}
    assert cells(verdict)[0][-2:] == ["after step 10", "15 steps"]
    assert as_json(verdict, UNDISTURBED, 1)["preemptions"][0]["steps_lost"] == 15  # type: ignore[index]  # a list


def test_a_script_that_begins_anew_loses_everything() -> None:
    verdict = judge(UNDISTURBED, [preempted(25), completed(None)], 1, 0)
    assert broken(verdict) == {"resumed at the saved step": "0 of 1 times"}
    assert cells(verdict)[0][-2:] == ["from the beginning", "everything"]


def test_a_script_that_does_not_answer_loses_what_it_did_since_its_last_save() -> None:
    """The second attempt saves nothing, so the third one resumes as the second did."""
    attempts = [preempted(25), preempted(None, after=25, stop=TOO_LATE), completed(25)]
    verdict = judge(UNDISTURBED, attempts, 2, 0)
    assert broken(verdict) == {"saved in time": "1 of 2 times"}
    assert cells(verdict)[1][2:] == ["no", "after step 25", "30 s of training"]


def test_a_script_without_the_package_fails_each_question() -> None:
    verdict = judge(UNDISTURBED, [preempted(None, stop=TOO_LATE), completed(None)], 1, 0)
    assert broken(verdict) == {"saved in time": "0 of 1 times", "resumed at the saved step": "0 of 1 times"}
    assert cells(verdict)[0][2:] == ["no", "from the beginning", "everything"]


def test_a_training_that_ends_early_was_not_tested() -> None:
    verdict = judge(UNDISTURBED, [preempted(25), completed(25)], 3, 0)
    assert broken(verdict) == {"preempted": "1 of 3 times"}


def test_a_training_without_any_preemption_shows_nothing() -> None:
    verdict = judge(UNDISTURBED, [completed(None)], 1, 0)
    assert {*broken(verdict)} == {"preempted", "saved in time", "resumed at the saved step"}


def test_an_attempt_that_fails_shows_why() -> None:
    failed = replace(completed(10, metric=None), status="Failed", failure="AlgorithmError: KeyError: 'optimizer'")
    verdict = judge(UNDISTURBED, [preempted(10), failed], 1, 0.01)
    assert broken(verdict) == {
        "completed": "AlgorithmError: KeyError: 'optimizer'",
        "same final metric": "none, undisturbed 0.5",
    }


@pytest.mark.parametrize(("metric", "tolerance", "is_same"), [(0.5, 0, True), (0.504, 0.01, True), (0.51, 0.01, False)])
def test_the_final_metric_may_differ_by_the_tolerance(metric: float, tolerance: float, is_same: bool) -> None:
    verdict = judge(UNDISTURBED, [preempted(10), completed(10, metric)], 1, tolerance)
    assert verdict.is_survivor is is_same


def test_without_a_metric_the_rest_is_judged() -> None:
    undisturbed = replace(UNDISTURBED, metric=None)
    verdict = judge(undisturbed, [preempted(10), completed(10, None)], 1, 0)
    assert verdict.is_survivor
    assert [finding.name for finding in verdict.findings][-1] == "completed"


def test_moments_are_repeated_by_their_seed_and_lie_within_the_training() -> None:
    chosen = moments(20, seed=7)
    assert chosen == moments(20, seed=7) != moments(20, seed=8)
    assert chosen == sorted(chosen)
    assert chosen[0] >= 0
    assert chosen[-1] <= 0.9
