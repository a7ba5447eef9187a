"""The calls on what instances cost."""

from api.documents.price_answers import Prices
from api.documents.price_views import prices_view
from api.documents.replaced_version import replaced_version
from api.http.call import Call
from scheduler.core.callers.permissions import Verb
from scheduler.wiring import config, shared


def show_prices(_call: Call) -> Prices:
    return prices_view(*config.prices_editor().show())


def apply_prices(call: Call) -> Prices:
    shared.authorization().require(Verb.OPERATE, call.caller)
    return prices_view(*config.prices_editor().apply(call.body, call.caller, replaced_version(call)))
