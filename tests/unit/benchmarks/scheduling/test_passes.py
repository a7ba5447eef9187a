"""At each decision, a replay plans until nothing changes, as the passes of a cycle do."""

from random import Random

from benchmarks.scheduling.engine import Engine
from benchmarks.scheduling.production import INSTANCE_TYPE, Production, time_of
from benchmarks.scheduling.trace import Submission

from scheduler.core.jobs.demand import Demand
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy

INSTANCES = 8
POLICY = Policy(patience=300, protected_run_time=60)


class PlanningAgain(Production):
    def decide(self, engine: Engine, now: int) -> None:
        super().decide(engine, now)
        again = plan(self._snapshot(Demand.of({INSTANCE_TYPE: engine.free})), time_of(now))
        changes = [*again.launches, *again.preemptions, *again.releases]
        assert not changes


def random_trace(jobs: int) -> list[Submission]:
    random = Random(3)  # noqa: S311 - a trace, not a secret
    return [
        Submission(
            index,
            submit=index * 120,
            duration=random.choice([30, 300, 900]),
            instances=random.choice([1, 1, 2, 4]),
            priority=random.choice([0, 0, 1, 2]),
            max_runtime=random.choice([900, 900, 7200]),
            user=random.choice(["ada", "bob"]),
            group="vision",
        )
        for index in range(jobs)
    ]


def test_another_plan_at_the_same_time_would_change_nothing() -> None:
    production = PlanningAgain(INSTANCES, POLICY, checkpoint=60)
    Engine(random_trace(300), INSTANCES, timers=production.timers).run(production)
