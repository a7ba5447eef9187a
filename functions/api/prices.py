"""The calls on what instances cost."""

from api.call import Call
from api.price_answers import Prices
from api.price_views import prices_view
from api.replaced_version import replaced_version
from scheduler.core.callers.permissions import Verb
from scheduler.wiring import config, shared


def show_prices(_call: Call) -> Prices:
    return prices_view(*config.prices_editor().show())


def apply_prices(call: Call) -> Prices:
    shared.access().require(Verb.OPERATE, call.caller)
    return prices_view(*config.prices_editor().apply(call.body, call.caller, replaced_version(call)))
