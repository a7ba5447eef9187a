"""The calls on the operator's rules: read them, try others out, put others into force; what they found."""

import re

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from api import answers
from api.asking import caller
from api.filter_reading import limit_in
from api.views import findings_view, rules_view, trial_view
from scheduler import wiring
from scheduler.refusals import BadRequest

router = APIGatewayRouter()


@router.get("/rules")
def show_rules() -> answers.Rules:
    return rules_view(wiring.rule_book().show())


@router.put("/rules")
def apply_rules() -> answers.Rules:
    query = router.current_event.query_string_parameters or {}
    return rules_view(wiring.rule_book().apply(_document(), caller(router), _version(query.get("replaces"))))


@router.post("/rules/check")
def check_rules() -> answers.Trial:
    return trial_view(wiring.rule_book().try_out(_document()))


@router.get("/findings")
def list_findings() -> answers.Findings:
    query = router.current_event.query_string_parameters or {}
    return findings_view(wiring.foreign_store().findings(limit_in(query.get("limit"))))


def _document() -> str:
    """As it was sent, not parsed, so that what is wrong with it has a line."""
    return router.current_event.decoded_body or ""


def _version(text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,8}", text):
        remedy = "Pass the version that GET /rules gave, or leave it out."
        raise BadRequest(f"{text!r} is not a version of the rules", field="replaces", remedy=remedy)
    return int(text)
