"""Teams in a replay: partitions keep instances idle that one pool and lent quotas use."""

from benchmarks.scheduling.engine import Engine
from benchmarks.scheduling.production import Production
from benchmarks.scheduling.teams import Variant, divided, teams_of
from benchmarks.scheduling.trace import Submission

from scheduler.core.planner.policy import Policy

HOUR = 3600
JOBS = [Submission(n, n, 2 * HOUR - n, 1, 0, 4 * HOUR, user, "lab") for n, user in enumerate(["ada", "ada", "bob"])]


def last_start(kind: str) -> int:
    decider = Production(4, Policy(teams=teams_of(Variant(kind, 2), JOBS + MORE, 4)), 1800)
    rows = Engine(JOBS + MORE, 4, timers=decider.timers).run(decider)
    return max(row.start for row in rows)


MORE = [Submission(3, 3, HOUR, 1, 0, 4 * HOUR, "ada", "lab")]


def test_a_partition_makes_jobs_wait_while_instances_are_idle() -> None:
    assert last_start("one pool") == last_start("lent quotas") == 3
    assert last_start("partitions") > HOUR


def test_users_are_divided_by_their_work() -> None:
    assert divided(JOBS, 2) == [{"ada"}, {"bob"}]


def test_the_quotas_are_the_whole_budget() -> None:
    teams = teams_of(Variant("partitions", 5), JOBS, 96)
    assert sum(count for team in teams for _, count in team.quota.counts) == 96
