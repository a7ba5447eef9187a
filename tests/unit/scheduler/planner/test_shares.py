"""The section of shares is accepted as a whole, or refused with lines and reasons."""

import pytest

from scheduler.core.configuration import kinds
from scheduler.core.configuration.configuration import Configuration
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.team import Ordering, Team, TeamSettings
from scheduler.core.planner import shares
from scheduler.core.sections.schema import ConfigKind
from support.builders.configurations import a_configuration, a_stack
from support.builders.invalid_sections import change_of, problem_of, problems_of
from support.builders.jobs import NOON

GOOD = """vision:
  members: ["*:assumed-role/Vision/*"]
  weight: 2
  quota: {ml.g5.xlarge: 1}
  lend: {ml.g5.xlarge: 0}
  borrow_at_most: {ml.p5.48xlarge: 0}
  ceiling: {ml.g5.xlarge: 3}
nlp:
  members:
  - "*:user/nlp/*"
"""
STACK = a_stack("ml.g5.xlarge=4")


def test_a_good_section_is_read_in_the_order_of_names() -> None:
    assert change_of(ConfigKind.SHARES, GOOD, STACK).after.teams == (
        Team("nlp", ("*:user/nlp/*",), 1.0),
        Team(
            "vision",
            ("*:assumed-role/Vision/*",),
            2.0,
            quota=Demand.of({"ml.g5.xlarge": 1}),
            lend=(("ml.g5.xlarge", 0),),
            borrow_at_most=(("ml.p5.48xlarge", 0),),
            ceiling=(("ml.g5.xlarge", 3),),
        ),
    )


def test_without_the_section_there_are_no_teams() -> None:
    assert change_of(ConfigKind.SHARES, "{}").after.teams == ()


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ("weight: 2", "weight: -1", 3, "vision.weight", "must be above 0"),
        ("weight: 2", "weight: 0", 3, "vision.weight", "must be above 0"),
        ("weight: 2", "weight: 1001", 3, "vision.weight", "at most 1000"),
        ("weight: 2", "weight: true", 3, "vision.weight", "must be a number"),
        ("weight: 2", "weihgt: 2", 3, "vision.weihgt", "did you mean weight?"),
        ("{ml.g5.xlarge: 1}", "{ml.g5.xlarge: -1}", 4, "vision.quota", "ml.g5.xlarge must be 0 or more"),
        ("{ml.g5.xlarge: 1}", "{ml.g5.xlarge: true}", 4, "vision.quota.ml.g5.xlarge", "whole number"),
        (
            "lend: {ml.g5.xlarge: 0}",
            "lend: {ml.g5.xlarge: 2}",
            5,
            "vision.lend",
            "at most the quota, which is 1, not 2",
        ),
        ("lend: {ml.g5.xlarge: 0}", "lend: {ml.x.large: 1}", 5, "vision.lend", "the quota, which is 0, not 1"),
        ("{ml.p5.48xlarge: 0}", "{ml.p5.48xlarge: -1}", 6, "vision.borrow_at_most", "must be 0 or more"),
        ("ceiling: {ml.g5.xlarge: 3}", "ceiling: {ml.g5.xlarge: 0}", 7, "vision.ceiling", "at least the quota"),
        ("{ml.g5.xlarge: 1}", "2", 4, "vision.quota", "must be an object"),
        ("weight: 2", "patience: 10", 3, "vision.patience", "write 10s"),
        ("weight: 2", "patience: 2w", 3, "vision.patience", "must be from 0s to 1w"),
        ("weight: 2", "protected_run_time: soon", 3, "vision.protected_run_time", "must be a duration"),
        ("weight: 2", "preemptions_per_job: 0", 3, "vision.preemptions_per_job", "must be from 1 to 1000"),
        ("weight: 2", 'submitters: ["role/CI"]', 3, "vision.submitters", "role/CI, which matches no caller"),
        ("weight: 2", "ordering: longest", 3, "vision.ordering", "fifo, shortest"),
        ("weight: 2", "priority_ceiling: 10000", 3, "vision.priority_ceiling", "must be from -9999 to 9999"),
        ("weight: 2", "preempt_within: always", 3, "vision.preempt_within", "lower_priority, never"),
        ('["*:assumed-role/Vision/*"]', '"*ada"', 2, "vision.members", "must be a list of nonempty texts"),
        ('["*:assumed-role/Vision/*"]', "[]", 2, "vision.members", "is empty"),
        ('["*:assumed-role/Vision/*"]', '["*:assumed-role/Vision/ada"]', 2, "vision.members", "names a session"),
        ('["*:assumed-role/Vision/*"]', '["role/Vision"]', 2, "vision.members", "role/Vision, which matches no caller"),
        ('  members: ["*:assumed-role/Vision/*"]\n', "", 1, "vision.members", "is empty"),
        ("nlp:\n  members:", "nlp: 2\nother:\n  members:", 8, "nlp", "must be an object"),
        ("nlp:", "natural language:", 8, "natural language", "must be a name of 1 to 64 letters"),
        ("nlp:", '"":', 1, "", "must be nonempty text"),
        ("nlp:", "vision:", 8, "vision", "is given twice, first on line 1"),
        ("nlp:\n  members:", "2:\n  members:", 8, "2", "put the key in quotes"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    problem = problem_of(ConfigKind.SHARES, GOOD, good, bad, f"shares.{field}".removesuffix("."), STACK)
    assert (problem.line, reason in problem.message) == (line, True), problem.message


def test_every_mistake_is_reported_with_its_line() -> None:
    broken = GOOD.replace("weight: 2", "weight: -1\n  patience: 2w\n  preemptions_per_job: 0")
    broken = broken.replace("quota: {ml.g5.xlarge: 1}", "quota: {ml.g5.xlarge: -1}").replace("*:user/nlp/*", "role/nlp")
    found = {(problem.line, problem.field) for problem in problems_of(ConfigKind.SHARES, broken, STACK)}
    of_vision = {(3, "weight"), (4, "patience"), (5, "preemptions_per_job"), (6, "quota"), (7, "lend")}
    assert found == {(line, f"shares.vision.{field}") for line, field in of_vision} | {(11, "shares.nlp.members")}


def test_a_team_has_settings_of_its_own() -> None:
    own = {"ordering": "shortest", "patience": "10m", "priority_ceiling": 5}
    (team,) = change_of(ConfigKind.SHARES, {"vision": {"members": ["*"], **own}}, STACK).after.teams
    assert (team.priority_ceiling, team.settings) == (5, TeamSettings(ordering=Ordering.SHORTEST, patience=600))


def test_quotas_of_all_teams_together_must_fit_into_the_budget() -> None:
    teams = {name: {"members": [f"*{name}"], "quota": {"ml.g5.xlarge": 2}} for name in ("a", "b")}
    assert len(change_of(ConfigKind.SHARES, teams, STACK).after.teams) == 2
    (problem,) = problems_of(ConfigKind.SHARES, teams, a_stack("ml.g5.xlarge=3"))
    assert (problem.field, problem.message) == (
        "shares",
        "quota 4 × ml.g5.xlarge in all, but the stack's InstanceBudget has 3",
    )


def test_what_is_no_object_of_teams_is_refused() -> None:
    (problem,) = problems_of(ConfigKind.SHARES, '["a"]', STACK)
    assert problem.message == "The file must be names with values, such as `rules:`"


NIGHT: dict[str, object] = {
    "name": "night",
    "weekly": ["fri 20:00 - mon 08:00"],
    "budget": {"ml.g5.xlarge": 2},
}
BELOW = ("calendar.windows[0]", "'night' leaves 2 × ml.g5.xlarge, but all quotas are 3")


def of_teams(*quotas: int, **calendar: object) -> Configuration:
    teams = {f"team{n}": {"members": [f"*:user/{n}"], "quota": {"ml.g5.xlarge": q}} for n, q in enumerate(quotas)}
    return a_configuration(shares=teams, calendar={"windows": [NIGHT], **calendar})


def test_a_window_that_leaves_less_than_all_quotas_causes_a_warning() -> None:
    assert [*kinds.warnings(of_teams(1, 2), STACK, NOON)] == [BELOW]
    assert [*kinds.problems(of_teams(1, 2), STACK, NOON)] == []
    assert [*kinds.warnings(of_teams(1, 1), STACK, NOON)] == []


def test_operators_may_have_such_a_window_refused() -> None:
    assert [*kinds.problems(of_teams(1, 2, below_quotas="refuse"), STACK, NOON)] == [BELOW]
    assert [*kinds.problems(of_teams(1, 1, below_quotas="refuse"), STACK, NOON)] == []


def test_every_type_of_a_window_counts_and_ended_windows_do_not() -> None:
    everything = NIGHT | {"budget": {"*": 0}}
    ended = {"name": "past", "begins": "2020-01-01T00:00", "ends": "2020-01-02T00:00", "budget": {"ml.g5.xlarge": 0}}
    found = [
        *shares.windows_below_quotas(
            of_teams(1, windows=[ended, everything]).calendar, of_teams(1).teams, STACK.budget, NOON
        )
    ]
    assert found == [("windows[1]", "'night' leaves 0 × ml.g5.xlarge, but all quotas are 1")]
