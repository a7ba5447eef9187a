"""Each choice that AWS does not document is a question, and the page says how the queue is right either way."""

import re
from dataclasses import fields

from local_sagemaker.conformance.questions import NOT_ASKED, QUESTIONS, REPLAYED
from local_sagemaker.conformance.table import TABLE
from local_sagemaker.state_machine.behaviour import Unknowns
from support.checkout import CHECKOUT

_, _, SECTION = (CHECKOUT / "docs/contribute/open-questions.md").read_text().partition("## Open questions")
ROWS = re.findall(r"^\| (.*?\?) \| (.*?) \| (.*?) \| (.+) \|$", SECTION.partition("\n## ")[0], re.MULTILINE)


def test_every_unknown_is_a_question() -> None:
    decided = {member for question in QUESTIONS for member in question.decides}
    assert decided == {member.name for member in fields(Unknowns)}


def test_the_page_has_every_question_in_the_script_s_order() -> None:
    shown = [(text, tuple(re.findall(r"`(\w+)`", decides))) for text, _, decides, _ in ROWS]
    assert shown == [(question.text, question.decides) for question in QUESTIONS]


def test_the_page_says_which_questions_are_not_asked() -> None:
    assert {text for text, how, _, _ in ROWS if how == "not asked"} == {question.text for question in NOT_ASKED}


def test_the_table_replays_the_questions_that_it_has_a_row_for() -> None:
    assert REPLAYED.keys() <= {row.fact for row in TABLE if row.source == "U"}
