"""The calls on the operator's rules: read them, try others out, put others into force; what they found."""

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from api import rule_answers
from api.asking import caller
from api.document_reading import replaced_version, text_body
from api.filter_reading import limit_in
from api.views import findings_view, rules_view, trial_view
from scheduler import wiring
from scheduler.policy.callers.permissions import Verb

router = APIGatewayRouter()


@router.get("/rules")
def show_rules() -> rule_answers.Rules:
    return rules_view(wiring.rule_book().show())


@router.put("/rules")
def apply_rules() -> rule_answers.Rules:
    wiring.access().require(Verb.OPERATE, caller(router))
    return rules_view(wiring.rule_book().apply(text_body(router), caller(router), replaced_version(router)))


@router.post("/rules/check")
def check_rules() -> rule_answers.Trial:
    wiring.access().require(Verb.OPERATE, caller(router))
    return trial_view(wiring.rule_book().try_out(text_body(router)))


@router.get("/findings")
def list_findings() -> rule_answers.Findings:
    query = router.current_event.query_string_parameters or {}
    return findings_view(wiring.foreign_store().findings(limit_in(query.get("limit"))))
