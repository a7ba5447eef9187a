"""Each rejected rule changes the decisions of the planner, and only while it is applied."""

from functools import cache
from pathlib import Path
from random import Random

import pytest
from benchmarks.scheduling.engine import AttemptRow, Engine
from benchmarks.scheduling.production import Production
from benchmarks.scheduling.replay import SAGEQUEUE, Setup, _decider
from benchmarks.scheduling.trace import Submission
from benchmarks.scheduling.tried.rejected import RULES, applied

from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.policy import Policy

INSTANCES = 12
JOBS = 200
MINUTE = 60


def busy_trace() -> list[Submission]:
    random = Random(25)  # noqa: S311 - a trace, not a secret
    return [
        Submission(
            index,
            submit=index // 2 * 20 * MINUTE + index % 2,
            duration=random.choice([5, 40, 70, 200]) * MINUTE + random.randrange(300),
            instances=random.choice([1, 1, 2, 4]),
            priority=random.choice([0, 0, 1, 2]),
            max_runtime=random.choice([240, 480]) * MINUTE,
            user=random.choice(["ada", "ada", "ada", "bob", "cy"]),
            group="vision",
        )
        for index in range(JOBS)
    ]


def rows_with(rule: str) -> list[AttemptRow]:
    with applied(rule):
        decider = _decider(SAGEQUEUE, Setup(Path(), INSTANCES, Policy(ordering=Ordering.SHORTEST)))
        assert isinstance(decider, Production)
        return Engine(busy_trace(), INSTANCES, timers=decider.timers).run(decider)


usual = cache(lambda: rows_with("defaults"))


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != "defaults"])
def test_a_rejected_rule_decides_otherwise_than_the_defaults_and_completes_every_job(rule: str) -> None:
    rows = rows_with(rule)
    assert rows != usual()
    assert len({row.job for row in rows if row.end_reason == "completed"}) == JOBS
