"""Texts from outside have a longest length in bytes, wherever a record keeps them."""

from hypothesis import given
from hypothesis import strategies as st

from scheduler.core.jobs.job import LONGEST_MESSAGE
from scheduler.core.jobs.job_state import ActionKind
from scheduler.core.jobs.reason import LONGEST_TEXT, Reason, ReasonCode, bounded
from support.builders.jobs import NOON, a_job, a_sighting

LONG = "\N{GRINNING FACE}" * 2000


@given(st.text(st.characters()), st.integers(0, 40))
def test_a_text_is_cut_at_whole_characters(text: str, most_bytes: int) -> None:
    cut = bounded(text, most_bytes)
    assert len(cut.encode()) <= most_bytes
    assert text.encode(errors="replace").decode().startswith(cut)


def test_a_short_text_is_kept() -> None:
    assert bounded("é", 2) == "é"
    assert bounded("plain") == "plain"


def test_half_a_character_that_no_record_can_hold_is_replaced() -> None:
    assert bounded("a\ud800b") == "a?b"


def test_reasons_observations_and_actions_are_bounded() -> None:
    assert len(Reason(ReasonCode.FAILED, LONG).message.encode()) == LONGEST_TEXT
    seen = a_sighting(message=LONG, failure_reason=LONG)
    assert (len(seen.message.encode()), len(seen.failure_reason.encode())) == (LONGEST_TEXT, LONGEST_TEXT)
    (action,) = a_job().with_action(ActionKind.PARKED, NOON, LONG).status.actions
    assert len(action.message.encode()) == LONGEST_MESSAGE
