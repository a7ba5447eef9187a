"""The calls on what may be spent in a month."""

from api.documents.replaced_version import replaced_version
from api.documents.spending_answers import Spending
from api.documents.spending_views import spending_view
from api.http.call import Call
from scheduler.core.callers.permissions import Verb
from scheduler.core.documents.document import Document
from scheduler.errors.config_errors import BadSpending
from scheduler.wiring import config, shared


def show_spending(_call: Call) -> Spending:
    return _shown(config.spending_editor().show())


def apply_spending(call: Call) -> Spending:
    shared.authorization().require(Verb.OPERATE, call.caller)
    return _shown(config.spending_editor().apply(call.body, call.caller, replaced_version(call)))


def _shown(document: Document | None) -> Spending:
    try:
        of_month = shared.spending_reader().of_month(shared.job_store().live())
    except BadSpending:
        of_month = None
    return spending_view(document, of_month, shared.prices().now(), shared.clock().now())
