"""The calls about who may do what: what the caller may; for operators, the document of callers."""

from api.documents.caller_answers import Callers, CallerTrial, WhoAmI
from api.documents.caller_views import caller_trial_view, callers_view, whoami_view
from api.documents.replaced_version import replaced_version
from api.http.call import Call
from scheduler.core.callers.permissions import Verb
from scheduler.errors.refusals import BadRequest
from scheduler.wiring import config, shared

_FLAGS = {"true": True, "false": False}


def whoami(call: Call) -> WhoAmI:
    return whoami_view(config.callers_editor().permission_of(call.caller), call.caller)


def show_callers(call: Call) -> Callers:
    shared.authorization().require(Verb.OPERATE, call.caller)
    return callers_view(config.callers_editor().show())


def apply_callers(call: Call) -> Callers:
    shared.authorization().require(Verb.OPERATE, call.caller)
    applied = config.callers_editor().apply(call.body, call.caller, replaced_version(call), hand_over=_hands_over(call))
    return callers_view(applied)


def check_callers(call: Call) -> CallerTrial:
    shared.authorization().require(Verb.OPERATE, call.caller)
    trial, permission = config.callers_editor().dry_run(call.body, call.caller)
    return caller_trial_view(trial, permission, call.caller)


def _hands_over(call: Call) -> bool:
    text = call.query.get("hand_over", "false")
    if text not in _FLAGS:
        raise BadRequest(
            f"{text[:20]!r} is neither true nor false", field="hand_over", remedy="Use true, or leave it out."
        )
    return _FLAGS[text]
