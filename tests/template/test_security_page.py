"""docs/explain/security.md shows the permissions that the template grants."""

from support.checkout import CHECKOUT
from support.stack.expanded_template import Stack, as_list
from template import reach
from template.permission_table import PAGE, shown, shown_reach, table
from template.test_blast_radius import allowing

#: The actions of AWSLambdaBasicExecutionRole that functions need. The stack itself creates the log groups.
LOGGING = {"logs:CreateLogStream", "logs:PutLogEvents"}


def test_the_page_has_the_permissions_of_the_template() -> None:
    assert shown() == table(), "PYTHONPATH=tests python -m template.permission_table writes it anew"


def test_the_page_has_what_each_function_can_reach() -> None:
    assert shown_reach() == reach.table(), "PYTHONPATH=tests python -m template.permission_table writes it anew"


def test_the_page_has_every_action_of_the_roles(stack: Stack) -> None:
    """Administrators make a permissions boundary of the page, and AWS denies each call that it does not allow."""
    needed = LOGGING | {action for _, statement in allowing(stack) for action in as_list(statement["Action"])}
    page = PAGE.read_text().partition("## Permissions of each function")[2].partition("\n## ")[0]
    assert sorted(action for action in needed if action not in page) == []


def test_each_test_that_proves_something_is_there() -> None:
    rows = PAGE.read_text().partition("## Threats")[2].partition("## What is encrypted")[0]
    named = {text for text in rows.split("`")[1::2] if "/test_" in text}
    assert len(named) > 10
    assert not [name for name in named if not (CHECKOUT / "tests" / f"{name}.py").exists()]
