"""Elastic jobs in a replay: a narrowed job works on fewer instances, more slowly, and loses only unsaved work."""

from benchmarks.scheduling.elastic import ElasticProduction
from benchmarks.scheduling.engine import AttemptRow, Engine
from benchmarks.scheduling.trace import Submission

from scheduler.core.planner.policy import Policy

HOUR = 3600
WIDE = Submission(0, 0, 10 * HOUR, 4, 0, 20 * HOUR, "ada", "vision")
URGENT = Submission(1, 2 * HOUR, HOUR, 2, 5, 2 * HOUR, "bob", "vision")


def replayed(share: int) -> tuple[list[AttemptRow], ElasticProduction]:
    decider = ElasticProduction(4, Policy(), share)
    return Engine([WIDE, URGENT], 4, timers=decider.timers).run(decider), decider


def test_a_narrowed_job_continues_at_once_and_more_slowly() -> None:
    rows, decider = replayed(share=100)
    stopped, _, continued, _ = rows
    assert (decider.narrowings, decider.stops) == (1, 0)
    assert (stopped.instances, stopped.end_reason, continued.instances) == (4, "preempted", 2)
    assert continued.start == stopped.end


def test_it_grows_once_a_save_ends_its_protection_and_nobody_waits() -> None:
    rows, decider = replayed(share=100)
    first, _, narrow, wide = rows
    assert decider.growths == 1
    assert (narrow.instances, wide.instances) == (2, 4)
    assert narrow.end - narrow.start == 300 + 3600
    assert wide.start == narrow.end
    # Two instances do half the work. What was not saved, and the restarts, come on top.
    saved = first.end // 1800 * 1800 + 3600 // 2 // 1800 * 1800
    assert wide.end == wide.start + 300 + 10 * HOUR - saved


def test_a_job_that_is_not_elastic_waits() -> None:
    rows, decider = replayed(share=0)
    assert (decider.narrowings, decider.stops) == (0, 1)
    assert [row.instances for row in rows] == [4, 2, 4]
    assert rows[2].start == rows[1].end
