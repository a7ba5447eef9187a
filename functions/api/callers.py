"""The calls about who may do what: what the caller may; for operators, the document of callers."""

from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from api.asking import caller
from api.caller_answers import Callers, CallerTrial, WhoAmI
from api.caller_views import caller_trial_view, callers_view, whoami_view
from api.document_reading import replaced_version, text_body
from scheduler import wiring
from scheduler.policy.callers.permissions import Verb
from scheduler.refusals import BadRequest

router = APIGatewayRouter()
_FLAGS = {"true": True, "false": False}


@router.get("/whoami")
def whoami() -> WhoAmI:
    return whoami_view(wiring.caller_book().permission_of(caller(router)), caller(router))


@router.get("/callers")
def show_callers() -> Callers:
    wiring.access().require(Verb.OPERATE, caller(router))
    return callers_view(wiring.caller_book().show())


@router.put("/callers")
def apply_callers() -> Callers:
    wiring.access().require(Verb.OPERATE, caller(router))
    applied = wiring.caller_book().apply(
        text_body(router), caller(router), replaced_version(router), hand_over=_hands_over()
    )
    return callers_view(applied)


@router.post("/callers/check")
def check_callers() -> CallerTrial:
    wiring.access().require(Verb.OPERATE, caller(router))
    trial, permission = wiring.caller_book().try_out(text_body(router), caller(router))
    return caller_trial_view(trial, permission, caller(router))


def _hands_over() -> bool:
    text = (router.current_event.query_string_parameters or {}).get("hand_over", "false")
    if text not in _FLAGS:
        raise BadRequest(
            f"{text[:20]!r} is neither true nor false", field="hand_over", remedy="Use true, or leave it out."
        )
    return _FLAGS[text]
