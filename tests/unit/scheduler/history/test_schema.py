"""The section about notices is accepted as a whole, or refused with lines and reasons."""

import pytest

from scheduler.core.history.notices import NoticeKind
from scheduler.core.sections.schema import ConfigKind
from support.builders.invalid_sections import change_of, problem_of


def test_a_good_section_is_read() -> None:
    owners = change_of(ConfigKind.NOTICES, "owners: [idle, preempted]").after.notices.owners
    assert owners == (NoticeKind.IDLE, NoticeKind.PREEMPTED)
    assert change_of(ConfigKind.NOTICES, "owners: []").after.notices.owners == ()


def test_without_a_choice_owners_get_notices_on_which_somebody_has_to_act() -> None:
    owners = {*change_of(ConfigKind.NOTICES, "{}").after.notices.owners}
    on_request = {"started", "completed", "interrupted", "preempted", "resumed"}
    assert owners == {*NoticeKind} - {NoticeKind(kind) for kind in on_request}


@pytest.mark.parametrize(
    ("bad", "field", "reason"),
    [
        ("[idle, retryed]", "owners[1]", "must be one of started, completed, "),
        ("idle", "owners", "must be a list"),
        ("[7]", "owners[0]", "must be one of started, completed, "),
        ("[idle]\nowner: [idle]", "owner", "is not a known member; did you mean owners?"),
    ],
)
def test_a_problem_is_reported_with_its_reason(bad: str, field: str, reason: str) -> None:
    problem = problem_of(ConfigKind.NOTICES, "owners: LIST", "LIST", bad, f"notices.{field}")
    assert reason in problem.message
