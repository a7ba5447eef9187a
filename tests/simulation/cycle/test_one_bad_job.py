"""Whatever call a cycle makes for one job, an error that this job's data cause stops no other job.

A world with a job for each step of a cycle records the calls. Then each of them fails, in a separate world, for the
jobs whose names begin with "bad". The others have to be launched and settled in the same minutes as without errors.
"""

import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache

import pytest

from scheduler.core.jobs.job_state import JobState
from scheduler.errors.internal import Refused
from scheduler.ports.job_store import JobStores
from simulation.cycle.bad_job_calls import TOO_LARGE, Calls
from simulation.cycle.bad_job_world import Timeline, play
from support.checkout import CHECKOUT

ERRORS: Mapping[str, Exception] = {
    "refused record": TOO_LARGE,
    "broken value": ValueError("a secret of the request"),
    "refused request": Refused("ValidationException: 1 validation error detected"),
}
#: Calls in the code of a cycle that handle many jobs, or the state of the queue. The adapters replace what they cannot
#: read of one job by a placeholder (tests/contract/records/test_unreadable_records.py).
OF_MANY_JOBS = {
    *(
        "index.due",
        "index.page",
        "index.waiting",
        "index.parked_for",
        "learned.read_learned",
        "learned.spent",
        "pools.pools",
        "live_attempts.live",
    ),
    *("dependencies.all_successors", "dependencies.arrays_named", "dependencies.predecessors"),
    *("arrays.due_arrays", "arrays.unfinished_arrays"),
    *("state.capacity", "state.correct_ledger", "state.reconciliation_state", "state.save_capacity"),
    *("state.save_reconciliation_state", "training.list_newest", "unmanaged_jobs.unchecked"),
}
#: Calls of the service that `CycleServices.service_of` returns for a kind of work.
_OF_A_KIND = {f"training.{call}" for call in ("create", "describe", "describe_any", "stop")}
#: Files of these rooms that no cycle runs, and two whose errors test_unmanaged_job_watch.py and test_digests.py play.
_OUTSIDE = {
    *("idle_gpus.py", "hangs.py", "signals.py", "check_results.py", "sweep_report.py", "authorization.py"),
    "digests.py",
}
_PORTS = ("training", "logs", "notifier", "admission", "unmanaged_jobs", "stop_objects")
_STORES = tuple(field.name for field in fields(JobStores))
_CALL = re.compile(rf"\.((?:{'|'.join([*_PORTS, *_STORES])})\.[a-z_]+)\(")
#: The same form, and no calls of ports.
_NO_CALLS = {
    *("unmanaged_jobs.check_next", "state.is_due", "state.scan_to_continue"),
    *("arrays.sweep", "arrays.check_changed", "arrays.have_work"),
}


@cache
def undisturbed() -> tuple[Timeline, frozenset[str]]:
    calls = Calls()
    timeline = play(calls)
    return timeline, frozenset(calls.made)


def in_the_code() -> set[str]:
    """Returns the calls of ports in the code of a cycle."""
    rooms = [CHECKOUT / "layers/scheduler/src/scheduler" / room for room in ("cycle", "admission")]
    texts = [path.read_text() for room in rooms for path in room.rglob("*.py") if path.name not in _OUTSIDE]
    return {call for text in texts for call in _CALL.findall(text)} - _NO_CALLS | _OF_A_KIND


def failures() -> list[tuple[str, str]]:
    """Returns each call for one job, with each error that it may meet."""
    pairs = []
    for call in sorted(in_the_code() - OF_MANY_JOBS):
        port, _ = call.split(".")
        others = ["refused request"] if port == "training" else ["refused record"] if port in _STORES else []
        pairs += [(call, error) for error in ["broken value", *others]]
    return pairs


def test_good_jobs_are_retried_and_end_where_no_call_fails() -> None:
    timeline, _ = undisturbed()
    assert {name: state for name, (state, _, _) in timeline[-1].items()} == {
        "good-1": JobState.COMPLETED,
        "good-2": JobState.COMPLETED,
        "good-crash": JobState.FAILED,
        "good-late": JobState.COMPLETED,
    }


def test_the_world_makes_every_call_that_a_cycle_has_for_one_job() -> None:
    _, made = undisturbed()
    assert made == in_the_code() - OF_MANY_JOBS


@pytest.mark.parametrize(("call", "error"), failures())
def test_an_error_of_one_call_for_one_job_stops_no_other_job(
    call: str, error: str, caplog: pytest.LogCaptureFixture
) -> None:
    timeline, _ = undisturbed()
    calls = Calls(failing=call, error=ERRORS[error])
    # A minute later at most: calls that fail again and again use up SageMaker's request rates.
    for before, expected, found in zip([{}, *timeline], timeline, play(calls), strict=False):
        assert found in (expected, before)
    assert calls.made[call] > 0
    named = [record for record in caplog.records if str(getattr(record, "job", "")).startswith("bad-")]
    assert named
    assert "a secret of the request" not in caplog.text + str([vars(record) for record in caplog.records])
